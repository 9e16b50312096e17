"""What the functions of one file share while they are lowered: positions, indexes, and work still to do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from typing import Any

from ctxlint.ir.assigned import before_walrus
from ctxlint.ir.module import ClassIR, FunctionIR, Span, Where

Index = defaultdict[str, list[Where]]


class Ledger:
    """The tables of a file under construction."""

    def __init__(self, source: str) -> None:
        self.functions: list[FunctionIR | None] = []
        self.classes: list[ClassIR] = []
        self.stars: list[str] = []
        self.renamed: dict[tuple[str, str], None] = {}
        self.calls: Index = defaultdict(list)
        self.mentions: Index = defaultdict(list)
        self.attributes: Index = defaultdict(list)
        self.globals_read: Index = defaultdict(list)
        self.keys: Index = defaultdict(list)
        self.tests: list[Where] = []
        self.later: list[Callable[[], None]] = []
        self.last: list[Callable[[], None]] = []
        self.walrus = before_walrus(source)
        self.ascii = source.isascii()
        self._lines: list[str | None] = []
        if not self.ascii:
            # Not splitlines: a form feed or U+2028 ends no line for the parser.
            lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            self._lines = [None if line.isascii() else line for line in lines]

    def span(self, node: Any) -> Span:
        """The place of a syntax node, with columns in characters."""
        line: int = node.lineno
        column: int = node.col_offset
        end_line: int = node.end_lineno
        end_column: int = node.end_col_offset
        if not self.ascii:
            first, last = self._lines[line - 1], self._lines[end_line - 1]
            column = column if first is None else _characters(first, column)
            end_column = end_column if last is None else _characters(last, end_column)
        return (line, column, end_line, end_column)


def _characters(text: str, column: int) -> int:
    return len(text.encode()[:column].decode(errors="ignore"))
