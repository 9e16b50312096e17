"""What the functions of one file share while they are lowered: positions, indexes, and work still to do."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Sequence
from operator import itemgetter
from typing import Any, Final

from ctxlint.ir.assigned import before_walrus
from ctxlint.ir.module import ClassIR, FunctionIR, Span, Where

Index = defaultdict[str, list[Where]]
# Of a node's dict, which is quicker than of the node: its class is asked for each attribute first.
_PLACE: Final[Callable[[Any], Span]] = itemgetter("lineno", "col_offset", "end_lineno", "end_col_offset")


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
        self._source = source
        self._walrus: frozenset[str] | None = None
        self._walrus_known = False
        self.wide: dict[int, str] = {}
        if not source.isascii():
            # Not splitlines: a form feed or U+2028 ends no line for the parser.
            lines = source.replace("\r\n", "\n").replace("\r", "\n").split("\n")
            self.wide = {number: line for number, line in enumerate(lines, 1) if not line.isascii()}

    @property
    def walrus(self) -> frozenset[str] | None:
        """The words before a `:=` in the file, None when one is unclear."""
        if not self._walrus_known:
            self._walrus, self._walrus_known = before_walrus(self._source), True
        return self._walrus

    def span(self, node: Any) -> Span:
        """The place of a syntax node, with columns in characters."""
        return self._characters(_PLACE(node.__dict__)) if self.wide else _PLACE(node.__dict__)

    def spans(self, nodes: Sequence[Any]) -> tuple[Span | None, ...]:
        """The places of syntax nodes, None where there is none."""
        found = [None if node is None else _PLACE(node.__dict__) for node in nodes]
        wide = self.wide
        if not wide:
            return tuple(found)
        # Few lines hold a letter that takes more than a byte.
        plain = [span is None or (span[0] not in wide and span[2] not in wide) for span in found]
        return tuple(
            [
                span if span is None or same else self._characters(span)
                for span, same in zip(found, plain, strict=True)
            ]
        )

    def _characters(self, place: Span) -> Span:
        line, column, end_line, end_column = place
        if line in self.wide:
            column = _characters(self.wide[line], column)
        if end_line in self.wide:
            end_column = _characters(self.wide[end_line], end_column)
        return (line, column, end_line, end_column)


def _characters(text: str, column: int) -> int:
    return len(text.encode()[:column].decode(errors="ignore"))
