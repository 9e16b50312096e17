"""The code frame: the lines of a place with the region underlined.

40 |     chain = build(self.llm)
41 |     return chain.predict(summary=old)
   |            ^^^^^^^^^^^^^^^^^^^^^^^^^^ reaches this call
"""

from __future__ import annotations

from dataclasses import dataclass

from ctxlint.finding import Place, Severity
from ctxlint.report.paint import Paint, clipped, columns, printable
from ctxlint.report.source import SourceLines

# A call with a long prompt in it must not push the path off the screen.
MOST_LINES = 6
_INDENT = 4


@dataclass(frozen=True, slots=True)
class Frame:
    """How frames are drawn: `gutter` is the width of the line numbers, `width` that of the terminal."""

    source: SourceLines
    paint: Paint
    gutter: int
    width: int

    def blank(self, text: str = "") -> str:
        """A line beside an empty line number."""
        bar = self.paint.frame(f"{'':{self.gutter}} |")
        return f"{bar} {text}" if text else bar

    def numbered(self, number: int, text: str) -> str:
        """A line of code beside its number."""
        return f"{self.paint.frame(f'{number:>{self.gutter}} |')} {text}"

    def drawn(self, place: Place, *, label: str, severity: Severity) -> list[str]:
        """The frame of a finding's place: up to one line before it, its lines, carets and the label."""
        if not self.source.known(place.path):
            return []
        first, last = place.line, max(place.line, place.end_line)
        shown = list(range(first, last + 1))
        if len(shown) > MOST_LINES:
            shown = shown[: MOST_LINES - 1]
        before = self.source.line(place.path, first - 1)
        numbers = [first - 1, *shown] if before.strip() else shown
        cut = self._common_indent(place.path, numbers)
        lines: list[str] = []
        for number in numbers:
            code = self.source.line(place.path, number)
            lines.append(self.numbered(number, clipped(printable(code[cut:]), self.room)))
            if number >= first and (carets := self._carets(place, number, code, cut)):
                final = number == shown[-1] == last
                lines.extend(self._underlined(carets, label if final else "", severity))
        if shown[-1] < last:
            lines.append(self.blank(self.paint.dim(f"… {last - shown[-1]} more lines")))
        return lines

    def _underlined(self, carets: str, label: str, severity: Severity) -> list[str]:
        """Carets with their label behind them, or below where it does not fit behind."""
        if label and columns(carets) + 1 + columns(label) > self.room:
            indent = min(len(carets) - len(carets.lstrip()), max(0, self.room - columns(label)))
            below = " " * indent + clipped(label, self.room)
            return [self.blank(self.paint.severity(text, severity)) for text in (carets, below)]
        return [self.blank(self.paint.severity(f"{carets} {label}".rstrip(), severity))]

    @property
    def room(self) -> int:
        """Columns for code beside the gutter."""
        return max(20, self.width - self.gutter - 3)

    def excerpt(self, place: Place, room: int) -> str:
        """The first line of a place on one line, for a step of a path; a long line is cut to begin with the place."""
        line = self.source.line(place.path, place.line)
        code = printable(line.strip())
        if columns(code) > room and line[: place.column].strip():
            return clipped("…" + printable(line[place.column :].strip()), room)
        return clipped(code, room)

    def _common_indent(self, path: str, numbers: list[int]) -> int:
        """Characters to leave out at the left of every line, so that deep code still fits."""
        lines = [self.source.line(path, number) for number in numbers]
        indents = [len(line) - len(line.lstrip(" ")) for line in lines if line.strip()]
        return max(0, min(indents, default=0) - _INDENT)

    def _carets(self, place: Place, number: int, code: str, cut: int) -> str:
        """The underline of one line of the region; none under a line that only goes on with it, but for the last."""
        first, last = place.line, max(place.line, place.end_line)
        if number not in {first, last}:
            return ""
        start = place.column if number == first else len(code) - len(code.lstrip())
        end = min(place.end_column, len(code)) if number == last else len(code.rstrip())
        start = min(max(start, cut), len(code))
        indent = columns(printable(code[cut:start]))
        width = max(1, columns(printable(code[start:end])))
        if indent >= self.room:
            return ""
        return " " * indent + "^" * min(width, self.room - indent)
