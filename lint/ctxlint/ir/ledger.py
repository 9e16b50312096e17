"""What the functions of one file share while they are lowered: positions, indexes, and work still to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ctxlint.ir.module import ClassIR, FunctionIR, Span, Where

Index = dict[str, list[Where]]


class Ledger:
    """The tables of a file under construction."""

    def __init__(self, source: str) -> None:
        self.functions: list[FunctionIR | None] = []
        self.classes: list[ClassIR] = []
        self.stars: list[str] = []
        self.calls: Index = {}
        self.mentions: Index = {}
        self.attributes: Index = {}
        self.globals_read: Index = {}
        self.keys: Index = {}
        self.tests: list[Where] = []
        self.later: list[Callable[[], None]] = []
        self.last: list[Callable[[], None]] = []
        self.walrus = ":=" in source
        self._lines: list[str] | None = None
        if not source.isascii():
            # Not splitlines: a form feed or U+2028 ends no line for the parser.
            self._lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")

    @staticmethod
    def note(index: Index, name: str, function: int, value: int) -> None:
        """Let `name` lead to the value."""
        places = index.get(name)
        if places is None:
            index[name] = [(function, value)]
        else:
            places.append((function, value))

    def span(self, node: Any) -> Span:
        """The place of a syntax node, with columns in characters."""
        line, column = node.lineno, node.col_offset
        end_line, end_column = node.end_lineno or line, node.end_col_offset or column
        if self._lines is None:
            return (line, column, end_line, end_column)
        return (line, self._characters(line, column), end_line, self._characters(end_line, end_column))

    def _characters(self, line: int, column: int) -> int:
        assert self._lines is not None
        text = self._lines[line - 1]
        return column if text.isascii() else len(text.encode()[:column].decode(errors="ignore"))
