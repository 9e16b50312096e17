"""Syntax of Python 3.12 to 3.14 on any Python: read as if it were older, with every line where it was."""

from __future__ import annotations

import ast

import pytest
from ctxlint.errors import UnreadableError
from ctxlint.syntax import parse_module
from ctxlint.syntax.newer import older


@pytest.mark.parametrize(
    ("new", "old"),
    [
        pytest.param("type Row = dict[str, int]", "Row = dict[str, int]", id="alias"),
        pytest.param("    type Row = int", "    Row = int", id="alias-in-a-class"),
        pytest.param("type Row[T] = dict[str, T]", "Row = dict[str, T]", id="alias-with-parameters"),
        pytest.param("type Rows = (\n    int | str\n)", "Rows = (\n    int | str\n)", id="alias-over-lines"),
        pytest.param("def first[T](rows): pass", "def first(rows): pass", id="function"),
        pytest.param("async def first[T, *Ts, **P](rows): pass", "async def first(rows): pass", id="async-function"),
        pytest.param("def first[\n    T: (int, str),\n](rows): pass", "def first(rows): pass", id="over-lines"),
        pytest.param("def first[T: dict[str, list[int]] = dict](rows): pass", "def first(rows): pass", id="bounds"),
        pytest.param("class Box[T](Base): pass", "class Box(Base): pass", id="class"),
        pytest.param("class Box[T]: pass", "class Box: pass", id="class-without-bases"),
        pytest.param("try: x\nexcept OSError, ValueError: y", "try: x\nexcept (OSError, ValueError): y", id="except"),
        pytest.param("try: x\nexcept* a.B, C: y", "try: x\nexcept* (a.B, C): y", id="except-group"),
    ],
)
def test_new_syntax_is_read_as_the_old_one(new: str, old: str) -> None:
    """The same tree, and the same number of lines."""
    assert ast.dump(ast.parse(older(new.strip()))) == ast.dump(ast.parse(old.strip()))
    assert older(new).count("\n") == new.count("\n")


def test_lines_and_columns_stay() -> None:
    """What stands behind a new construct is found where its reader sees it."""
    source = "type Row = int\n\n\ndef first[\n    T,\n](rows):\n    return len(rows)\n"
    function = parse_module(source, "rows.py").body[1]
    assert isinstance(function, ast.FunctionDef)
    assert (function.lineno, function.body[0].lineno, function.body[0].col_offset) == (4, 7, 4)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("type = 3", id="a-variable"),
        pytest.param("type (x)", id="a-call"),
        pytest.param("type[int]", id="a-subscript"),
        pytest.param("def first(rows): pass", id="a-plain-function"),
        pytest.param("try: x\nexcept (A, B): y", id="a-tuple"),
    ],
)
def test_old_syntax_is_left_alone(source: str) -> None:
    """Nothing that an older Python reads is touched."""
    assert older(source) == source


def test_a_file_with_another_fault_is_refused_with_the_reason_of_python() -> None:
    """The reason names the line of the file."""
    with pytest.raises(UnreadableError) as caught:
        parse_module("type Row = int\nx = (\n", "rows.py")
    assert caught.value.line in {1, 2}
