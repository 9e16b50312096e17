"""Places: lines from 1, columns from 0, in characters and not in bytes."""

from __future__ import annotations

import pytest
from ctxlint.ir import lower_module
from ctxlint.ir.ops import CALL
from ctxlint.syntax import parse_module
from ctxlint.syntax.parse import decode


def _call_text(source: str) -> str:
    """The text under the place of the first call, cut out by its line and columns."""
    module = lower_module(parse_module(source, "main.py"), path="main.py", source=source)
    found = module.functions[0]
    [span, *_] = [found.spans[value] for value, op in enumerate(found.ops) if op[0] == CALL]
    assert span is not None
    line, column, end_line, end_column = span
    lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")[line - 1 : end_line]
    lines[-1] = lines[-1][:end_column]
    lines[0] = lines[0][column:]
    return "\n".join(lines)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("x = fold(1)\n", id="ascii"),
        pytest.param("é = fold(1)\n", id="two-bytes"),
        pytest.param("메모 = fold(1)\n", id="three-bytes"),
        pytest.param("x = '😀😀'; y = fold(1)\n", id="four-bytes"),
        pytest.param("# é\nx = fold(1)\n", id="not-on-this-line"),
        pytest.param("x = 'a\u2028b'; y = fold(1)\n", id="line-separator-ends-no-line"),
        pytest.param("x = 'é\x85\x1c'\ny = fold(1)\n", id="controls-end-no-line"),
        pytest.param("é = 1\r\né = fold(1)\r\n", id="crlf"),
        pytest.param("é = 1\ré = fold(1)\r", id="cr"),
        pytest.param("é = 1\n\f\né = fold(1)\n", id="form-feed"),
        pytest.param("x = 'é' 'e\u0301'; y = fold(1)\n", id="combining-character"),
        pytest.param("é = fold(1)", id="no-line-end"),
    ],
)
def test_a_place_is_cut_out_of_its_line(source: str) -> None:
    """Whatever stands before the call, an editor underlines the call."""
    assert _call_text(source) == "fold(1)"


def test_a_place_of_several_lines_ends_at_its_last_character() -> None:
    """The end is on its own line, in characters of that line."""
    assert _call_text("é = fold(\n    'é',\n    ü=1)  # ö\n") == "fold(\n    'é',\n    ü=1)"


def test_a_byte_order_mark_moves_no_column() -> None:
    """The text that `decode` gives is the text that the columns count in."""
    text = decode("\ufeffé = fold(1)\n".encode())
    assert _call_text(text) == "fold(1)"


def test_a_parameter_and_an_unknown_value_have_no_place() -> None:
    """Where nothing is written there is nothing to underline."""
    source = "def f(a):\n    return a.b\n"
    module = lower_module(parse_module(source, "main.py"), path="main.py", source=source)
    assert module.functions[1].spans[:3] == (None, None, (2, 11, 2, 14))
    assert module.functions[1].span == (1, 0, 2, 14)
