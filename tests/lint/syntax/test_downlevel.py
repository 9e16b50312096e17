"""What one line does not show of newer Python: read by libcst, brought down, with every line where it was."""

from __future__ import annotations

import ast
import re
import sysconfig
from pathlib import Path

import pytest
from ctxlint.errors import NewerSyntaxError, UnreadableError
from ctxlint.ir import ModuleIR, lower_module
from ctxlint.syntax import parse_module
from ctxlint.syntax.downlevel import brought_down

SAMPLES = (
    *sorted(Path(sysconfig.get_path("stdlib")).glob("*.py"))[::9],
    *sorted((Path(__file__).parents[3] / "lint" / "ctxlint").rglob("*.py"))[::6],
)


@pytest.mark.parametrize(
    ("new", "old"),
    [
        pytest.param('x = f"{row["name"]}"', "x = f\"{row['name']}\"", id="quotes"),
        pytest.param('x = f"{f"{a["b"]}"}"', "x = f'''{f\"{a['b']}\"}'''", id="texts-in-texts"),
        pytest.param(
            "x = f\"{', '.join(rows)!r:>{size['w']}}\"", "x = f\"{', '.join(rows)!r:>{size['w']}}\"", id="old"
        ),
        pytest.param('x = f"{d["a"]:{w["b"]}}"', "x = f\"{d['a']:{w['b']}}\"", id="format"),
        pytest.param('x = f"{a["b"]}" "c" f"{d}"', "x = f\"{a['b']}c{d}\"", id="side-by-side"),
        pytest.param('x = t"{name!r} a"', 'x = f"{name!r} a"', id="template"),
        pytest.param(
            "x = [*row for row in rows if row]", "x = [it for row in rows if row for it in row]", id="spread"
        ),
        pytest.param("x = {*row for row in rows}", "x = {it for row in rows for it in row}", id="spread-set"),
        pytest.param("x = f(*row for row in rows)", "x = f(it for row in rows for it in row)", id="spread-argument"),
        pytest.param(
            "x = {**row for row in rows}",
            "x = {key: it for row in rows for key, it in row.items()}",
            id="spread-dict",
        ),
        pytest.param("lazy import json", "import json", id="lazy"),
        pytest.param("lazy from json import (loads, dumps)", "from json import (loads, dumps)", id="lazy-from"),
        pytest.param("try: x\nexcept A, B: y", "try: x\nexcept (A, B): y", id="kinds"),
        pytest.param("try: x\nexcept* A, B: y", "try: x\nexcept* (A, B): y", id="kinds-of-groups"),
        pytest.param("type Row[\n  T] = dict[str, T]", "Row = dict[str, T]", id="alias"),
        pytest.param("def first[\n T, *S\n](x): pass", "def first(x): pass", id="function"),
        pytest.param("async def first[**P](x): pass", "async def first(x): pass", id="async-function"),
        pytest.param("class Box[T = int](Base): pass", "class Box(Base): pass", id="class"),
    ],
)
def test_new_syntax_is_read_as_the_old_one(new: str, old: str) -> None:
    """The same tree."""
    assert ast.dump(brought_down(new)) == ast.dump(ast.parse(old))


@pytest.mark.parametrize(
    "new",
    [
        pytest.param('x = f"{\n  b["c"]  # why\n }" + d\nlast = 1', id="text"),
        pytest.param('x = (f"{\n  b["c"]\n\n }" f"{\n d["e"]}" "f")\nlast = 1', id="texts-side-by-side"),
        pytest.param('x = t"{\n  b\n }"\nlast = 1', id="template"),
        pytest.param("def first[\n T,\n *S,\n](x): pass\nlast = 1", id="function"),
        pytest.param("type Row[\n T,\n] = (\n int)\nlast = 1", id="alias"),
        pytest.param("lazy from a import (b,\n c)\nlast = 1", id="lazy"),
        pytest.param("try: x\nexcept A, B: y\nlast = 1", id="kinds"),
    ],
)
def test_lines_stay(new: str) -> None:
    """What stands below a new construct is found where its reader sees it."""
    assert brought_down(new).body[-1].lineno == new.count("\n") + 1


def test_an_expression_in_a_text_is_where_its_reader_sees_it() -> None:
    """What stands in the first line of the text, to the column."""
    [call] = [node for node in ast.walk(brought_down('x = f"{go(a["b"])}"')) if isinstance(node, ast.Call)]
    assert (call.lineno, call.col_offset) == (1, 7)


def test_only_a_process_that_may_be_lost_asks_libcst() -> None:
    """Whoever reads a file by itself hears that libcst may read it."""
    source = 'x = f"{a["b"]}{"\\n".join(c)}"\n' + "lazy import d\n"
    with pytest.raises(NewerSyntaxError):
        parse_module(source, "a.py")
    assert len(parse_module(source, "a.py", newest=True).body) == 2


@pytest.mark.parametrize("newest", [False, True])
def test_what_is_no_python_keeps_the_reason_of_python(newest: bool) -> None:
    """Not that of libcst, whatever it looks like."""
    with pytest.raises(UnreadableError, match="was never closed"):
        parse_module('x = f"{a}"\ny = (', "a.py", newest=newest)


def _without_columns(module: ModuleIR) -> str:
    return re.sub(r"\((\d+), \d+, (\d+), \d+\)", r"(\1, \2)", repr(module))


@pytest.mark.parametrize("path", SAMPLES, ids=lambda path: path.name)
def test_a_file_is_lowered_the_same_by_both_ways(path: Path) -> None:
    """Through ast, and through libcst with all expressions taken out of formatted texts and put back."""
    text = path.read_text(encoding="utf-8")
    plain = lower_module(ast.parse(text), path="a.py", source=text)
    down = lower_module(brought_down(text, every=True), path="a.py", source=text)
    assert _without_columns(down) == _without_columns(plain)
