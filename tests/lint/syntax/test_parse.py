"""From bytes to a tree: every file is read as Python reads it, or refused with a reason in one line."""

from __future__ import annotations

import ast
import codecs
import warnings

import pytest
from ctxlint.errors import UnreadableError
from ctxlint.syntax import parse_module
from ctxlint.syntax.parse import decode

SECRET = "hunter2"
PATH = f"/home/{SECRET}/app.py"

READABLE = [
    pytest.param(b"", [], id="empty"),
    pytest.param("", [], id="empty-text"),
    pytest.param(b"\n\n  \n", [], id="blank-lines"),
    pytest.param(b"# nothing\n", [], id="comment-alone"),
    pytest.param(codecs.BOM_UTF8, [], id="mark-alone"),
    pytest.param("\ufeffx = 'a'\n", [1], id="mark-in-text"),
    pytest.param(codecs.BOM_UTF8 + b"x = 'a'\n", [1], id="mark"),
    pytest.param(codecs.BOM_UTF8 + b"# coding: utf-8\nx = 'a'\n", [2], id="mark-and-same-cookie"),
    pytest.param(b"x = 'a'", [1], id="no-line-end"),
    pytest.param(b"x = 'a'\r\ny = 'b'\r\n", [1, 2], id="crlf"),
    pytest.param(b"x = 'a'\ry = 'b'\r", [1, 2], id="cr"),
    pytest.param(b"x = 'a'\r\n\ny = 'b'\rz = 'c'\n", [1, 3, 4], id="mixed-line-ends"),
    pytest.param(b"\f\nx = 'a'\n\f\ny = 'b'\n", [2, 4], id="form-feeds"),
    pytest.param(b"\fx = 'a'\n", [1], id="form-feed-before-a-statement"),
    pytest.param("x = 'a\u2028b'\ny = 'c'\n", [1, 2], id="unicode-line-separator"),
    pytest.param("# coding: nope\nx = 'a'\n", [2], id="cookie-in-text-means-nothing"),
    pytest.param("x = '" + "a" * 2_000_000 + "'\n", [1], id="long-line"),
    pytest.param("x = [" + "1, " * 50_000 + "]\n", [1], id="long-list"),
    pytest.param("x = 0x" + "9" * 6000 + "\n", [1], id="huge-number-in-hex"),
    pytest.param("x = 1\nreturn x\n", [1, 2], id="return-outside-a-function"),
]


@pytest.mark.parametrize(("source", "lines"), READABLE)
def test_what_python_reads_is_read(source: bytes | str, lines: list[int]) -> None:
    """Line ends, marks and odd whitespace neither stop the parser nor move a line."""
    assert [statement.lineno for statement in parse_module(source, PATH).body] == lines


@pytest.mark.parametrize(
    ("source", "text"),
    [
        pytest.param("x = 'é'\n".encode(), "é", id="utf-8"),
        pytest.param(b"# coding: latin-1\nx = '\xe9'\n", "é", id="latin-1"),
        pytest.param(b"#!/usr/bin/python\n# -*- coding: latin-1 -*-\nx = '\xe9'\n", "é", id="second-line"),
        pytest.param(b"\n# vim: set fileencoding=iso-8859-15 :\nx = '\xa4'\n", "€", id="vim"),
        pytest.param("# coding: shift_jis\nx = '日本'\n".encode("shift_jis"), "日本", id="shift-jis"),
        pytest.param("# coding: utf_8_sig\nx = 'é'\n".encode(), "é", id="utf-8-with-mark"),
        pytest.param(b"\f# coding: latin-1\nx = '\xe9'\n", "é", id="form-feed-before-the-cookie"),
    ],
)
def test_the_cookie_is_obeyed(source: bytes, text: str) -> None:
    """PEP 263, in either of the first two lines."""
    [assignment] = parse_module(source, PATH).body
    assert isinstance(assignment, ast.Assign)
    assert isinstance(assignment.value, ast.Constant)
    assert assignment.value.value == text


UNREADABLE = [
    pytest.param(b"# -*- coding: nope -*-\nx = 1\n", 1, "unknown encoding", id="unknown-encoding"),
    pytest.param(b"#!/bin/x\n# coding: nope\nx = 1\n", 1, "unknown encoding", id="unknown-encoding-in-line-2"),
    pytest.param(codecs.BOM_UTF8 + b"# coding: latin-1\nx = 1\n", 1, "encoding", id="mark-against-cookie"),
    pytest.param("x = 1\n".encode("utf-16"), 1, "not valid utf-8", id="utf-16"),
    pytest.param("x = 1\n".encode("utf-32"), 1, "not valid utf-8", id="utf-32"),
    pytest.param(b"# coding: utf-16\nx = 1\n", 2, "not valid utf-16", id="utf-16-cookie"),
    pytest.param(b"# coding: rot13\nx = 1\n", 1, "unknown encoding", id="codec-of-text-to-text"),
    pytest.param(b"# coding: zlib\nx = 1\n", 1, "unknown encoding", id="codec-of-bytes-to-bytes"),
    pytest.param(b"# coding: ascii\n\nx = '\xe9'\n", 3, "not valid ascii", id="not-ascii"),
    pytest.param(b"x = 1\n\ny = '\xff'\n", 3, "not valid utf-8", id="not-utf-8"),
    pytest.param(b"\n\n# coding: latin-1\nx = '\xe9'\n", 4, "not valid utf-8", id="cookie-in-line-3"),
    pytest.param(b"# coding: big5\nx = '\xff\xff'\n", 2, "not valid big5", id="not-big5"),
    pytest.param(b"# coding: undefined\nx = 1\n", 1, "not valid undefined", id="codec-that-always-fails"),
    pytest.param(b"# coding: punycode\nx = 1\n", 1, "not valid punycode", id="codec-that-does-not-say-where"),
    pytest.param(b"# c\n'\xff'\n", 2, "not valid utf-8", id="not-utf-8-in-line-2"),
    pytest.param(b"x = 1\ry = 2\rz = '\xff'\r", 3, "not valid utf-8", id="not-utf-8-behind-cr"),
    pytest.param(b"# coding: nope\nx = '\xff'\n", 1, "unknown encoding", id="unknown-encoding-of-other-bytes"),
    pytest.param("x = 1\r\r\0", 3, "null bytes", id="null-byte-in-text-behind-cr"),
    pytest.param(b"x = 1\n\0\n", 2, "null bytes", id="null-byte"),
    pytest.param(b"x = 1\r\r\0", 3, "null bytes", id="null-byte-behind-cr"),
    pytest.param("x = 1\n\n\0", 3, "null bytes", id="null-byte-in-text"),
    pytest.param("x = '\ud800'\n", 1, "refused", id="surrogate-in-a-text"),
    pytest.param("x = 1\n# \udfff\n", 1, "refused", id="surrogate-in-a-comment"),
    pytest.param("\ufeff\ufeffx = 1\n", 1, "U+FEFF", id="two-marks"),
    pytest.param("x = 1\ny = = 2\n", 2, "invalid syntax", id="no-python"),
    pytest.param(b"x = 1\r\ny = = 2\r\n", 2, "invalid syntax", id="no-python-in-crlf"),
    pytest.param(b"x = 1\ry = = 2\r", 2, "invalid syntax", id="no-python-in-cr"),
    pytest.param("\f\nx = 1\n\fy = = 2\n", 3, "invalid syntax", id="no-python-behind-form-feeds"),
    pytest.param("x = 1\ny = (2,\n", 2, "never closed", id="open-bracket"),
    pytest.param("x = 1\ny = '''a\nb\n", 2, "unterminated", id="open-text"),
    pytest.param("if x:\n\ty = 1\n        z = 2\n", 3, "tabs", id="tabs-and-spaces"),
    pytest.param("if x:\n    y = 1\n  z = 2\n", 3, "unindent", id="half-a-dedent"),
    pytest.param("x = \\", 1, "EOF", id="continued-into-nothing"),
    pytest.param("x = 1\n\x1a\n", 2, "U+001A", id="end-of-file-of-dos"),
    pytest.param("x = 1\ny = " + "9" * 5000 + "\n", 2, "limit", id="huge-number"),
]


@pytest.mark.parametrize(("source", "line", "reason"), UNREADABLE)
def test_what_python_refuses_is_refused_at_its_line(source: bytes | str, line: int, reason: str) -> None:
    """The reason and the line are those that Python would give."""
    with pytest.raises(UnreadableError) as caught:
        parse_module(source, PATH)
    assert caught.value.line == line
    assert reason in caught.value.reason


@pytest.mark.parametrize(
    "source",
    [
        pytest.param(f"def f(:\n    key = '{SECRET}'\n", id="half-a-function"),
        pytest.param(f"x = '{SECRET}\n", id="open-text"),
        pytest.param(f"print '{SECRET}'\n", id="python-2"),
        pytest.param(f"{SECRET}() = 1\n", id="assignment-to-a-call"),
        pytest.param(f"x = f'{{{SECRET} {SECRET}}}'\n", id="template"),
        pytest.param(f"x = '\\N{{{SECRET}}}'\n", id="unknown-character-name"),
        pytest.param(f"x = f'{{a!{SECRET}}}'\n", id="unknown-conversion"),
        pytest.param(f"# coding: {SECRET}\n".encode(), id="unknown-encoding"),
        pytest.param(f"x = ({SECRET}]\n", id="wrong-bracket"),
        pytest.param(f"import {SECRET}.\n", id="import"),
        pytest.param(f"{SECRET} = 1\n\0", id="null-byte"),
        pytest.param(f"{SECRET} = '\ud800'", id="surrogate"),
        pytest.param(f"x = '{SECRET}'\n".encode() + b"y = '\xff'\n", id="not-utf-8"),
        pytest.param(f"# coding: ascii\nx = '{SECRET}é'\n".encode(), id="not-ascii"),
        pytest.param(f"x = '{SECRET}'\n".encode("utf-16"), id="utf-16"),
        pytest.param(f"x = {SECRET}" + "()" * 20_000, id="long-chain"),
        pytest.param(f"{SECRET} = " + "9" * 5000, id="huge-number"),
    ],
)
def test_a_reason_is_one_line_without_path_and_source(source: bytes | str) -> None:
    """A report may be published: it holds neither a folder of the machine nor a word of the file."""
    with pytest.raises(UnreadableError) as caught:
        parse_module(source, PATH)
    reason = caught.value.reason
    assert reason == str(caught.value)
    assert reason.strip() == reason != ""
    assert len(reason.splitlines()) == 1
    assert SECRET not in reason
    assert "app.py" not in reason


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("x = " + "(" * 3000 + "1" + ")" * 3000, id="parentheses"),
        pytest.param("x = " + "[" * 3000 + "]" * 3000, id="lists"),
        pytest.param("x = " + "lambda: " * 20_000 + "1", id="lambdas"),
        pytest.param("x = " + "not " * 100_000 + "1", id="nots"),
        pytest.param("x = " + "1**" * 20_000 + "1", id="powers"),
        pytest.param("x = " + "1+" * 200_000 + "1", id="sum"),
        pytest.param("x = f" + "()" * 50_000, id="calls"),
        pytest.param("x = f" + ".g" * 50_000, id="attributes"),
        pytest.param("".join(" " * n + "if x:\n" for n in range(120)) + " " * 120 + "pass\n", id="blocks"),
    ],
)
def test_absurd_nesting_is_refused_and_not_fatal(source: str) -> None:
    """The parser's own limits come out as a reason, never as an error of another kind."""
    with pytest.raises(UnreadableError) as caught:
        parse_module(source, PATH)
    assert caught.value.line >= 1
    assert caught.value.reason


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("x = '\\d'\n", id="escape"),
        pytest.param("x = 1 is 1\n", id="identity-of-a-number"),
        pytest.param("assert (x, 'always')\n", id="assert-of-a-pair"),
        pytest.param("x = ()()\n", id="call-of-a-pair"),
        pytest.param("x = [0x1for y in z]\n", id="number-without-a-space"),
    ],
)
def test_warnings_of_the_parser_are_silent(source: str) -> None:
    """What Python thinks of the style of the linted code is not our report."""
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        parse_module(source, PATH)
    assert not told


def test_a_text_is_decoded_with_one_kind_of_line_end() -> None:
    """What is shown in a report has the lines that the parser counts."""
    assert decode(b"a\r\nb\rc\n\r\n") == "a\nb\nc\n\n"


def test_a_byte_order_mark_is_no_text() -> None:
    """Columns of the first line count from the first character."""
    assert decode(codecs.BOM_UTF8 + b"x = 1\n") == "x = 1\n"
    [statement] = parse_module(codecs.BOM_UTF8 + b"x = 1\n", PATH).body
    assert statement.col_offset == 0
