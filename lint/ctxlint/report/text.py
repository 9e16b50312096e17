"""Findings for a terminal: what, where, by which path, and what to do.

error[CTX001] resummarized-summary: A summary comes back as the input of a summarizer in a later round.
  --> app/memory.py:7:22 in Memory.save
   |
 6 |     for page in pages:
 7 |         self.notes = self.llm.summarize(self.notes + page)
   |                      ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^ enters the summarizer in save()
   |
   = path: text written at app/memory.py:7:22 is kept in self.notes at app/memory.py:7:9, ...
      1 a summary is written here
        app/memory.py:7:22 | self.notes = self.llm.summarize(self.notes + page)
      2 kept in self.notes
        app/memory.py:7:9  | self.notes = self.llm.summarize(self.notes + page)
   = fix: Summarize the pages again instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from textwrap import wrap

from ctxlint.finding import Finding, Place, Severity, Step, StepRole
from ctxlint.outcome import Outcome
from ctxlint.report.frame import Frame
from ctxlint.report.paint import Paint, clipped, columns, printable
from ctxlint.report.source import SourceLines

# A path of a hundred hops is cut in the middle: both ends are what a reader judges by.
MOST_STEPS = 14
MOST_RELATED = 5
MOST_ALSO = 3
_LEAST_CODE = 12  # fewer columns of code say nothing


def text(outcome: Outcome, *, paint: Paint, prefix: str, width: int) -> str:
    """The whole text report: one block a finding, then a line of counts."""
    source = SourceLines(outcome.texts)
    blocks = ["\n".join(_Block(f, source, paint, prefix, width).lines()) for f in outcome.findings]
    return "\n\n".join([*blocks, _summary(outcome, paint)]) + "\n"


def _summary(outcome: Outcome, paint: Paint) -> str:
    files = _count(outcome.measures.files, "file")
    aside = [f"{len(outcome.suppressed)} suppressed"] if outcome.suppressed else []
    aside += [f"{outcome.unsure} below --min-confidence"] if outcome.unsure else []
    hidden = f" ({', '.join(aside)})" if aside else ""
    if not outcome.findings:
        return paint.good(f"No findings in {files}{hidden}.")
    counts = Counter(finding.severity for finding in outcome.findings)
    parts = [_count(counts[level], level.value) for level in Severity if counts[level]]
    return paint.bold(f"{_count(len(outcome.findings), 'finding')} in {files}: {', '.join(parts)}{hidden}.")


def _count(number: int, noun: str) -> str:
    return f"{number:,} {noun}" if number == 1 or noun == "info" else f"{number:,} {noun}s"


class _Block:
    """The text of one finding."""

    def __init__(self, finding: Finding, source: SourceLines, paint: Paint, prefix: str, width: int) -> None:
        self.finding = finding
        self.paint = paint
        self.prefix = prefix
        self.width = width
        gutter = max(2, len(str(finding.place.end_line)))
        self.frame = Frame(source, paint, gutter, width)

    def lines(self) -> Iterator[str]:
        finding, paint, frame = self.finding, self.paint, self.frame
        title = paint.severity(f"{finding.severity.value}[{finding.code}]", finding.severity)
        slug = paint.bold(f"{finding.slug}:")
        opening = columns(f"{finding.severity.value}[{finding.code}] {finding.slug}: ")
        head, *more = wrap(printable(self._said()), self.width, initial_indent=" " * opening) or [""]
        yield f"{title} {slug} {paint.bold(head.strip())}"
        yield from (paint.bold(line) for line in more)
        where = f" in {printable(finding.function)}" if finding.function else ""
        yield f"{paint.frame(' ' * frame.gutter + '-->')} {self.at(finding.place)}{where}"
        label = self._label()
        drawn = frame.drawn(finding.place, label=label, severity=finding.severity)
        if drawn:
            yield frame.blank()
            yield from drawn
            yield frame.blank()
        for number, flow in enumerate(finding.flows):
            yield from self._path(flow, number)
        for related in finding.related[:MOST_RELATED]:
            yield from self._note("note", f"{printable(related.note)} ({self.at(related.place)})")
        if len(finding.related) > MOST_RELATED:
            yield from self._note(
                "note", f"{len(finding.related) - MOST_RELATED} more places are in the SARIF report"
            )
        if finding.advice:
            yield from self._note("fix", printable(finding.advice))

    def at(self, place: Place) -> str:
        """A place as this terminal can open it."""
        return printable(f"{self.prefix}{place}")

    def _said(self) -> str:
        """What is wrong. Where there is a path the rule's own words: the message would tell the path once more."""
        if not self.finding.flows:
            return self.finding.message
        from ctxlint.rules import RULES  # noqa: PLC0415 - a report without findings needs no rules

        return RULES[self.finding.code].summary if self.finding.code in RULES else self.finding.message

    def _label(self) -> str:
        if not self.finding.flows:
            return ""
        return printable(self.finding.flows[0][-1].note)

    def _note(self, word: str, told: str) -> Iterator[str]:
        opening = f"{'':{self.frame.gutter}} = {word}: "
        inset = " " * len(opening)
        # A place is to be clicked on: it is never broken at a hyphen.
        lines = wrap(
            told,
            self.width,
            initial_indent=opening,
            subsequent_indent=inset,
            break_on_hyphens=False,
            break_long_words=False,
        )
        first, *more = lines or [opening]
        word_painted = self.paint.good(word) if word == "fix" else self.paint.bold(word)
        yield first.replace(f"= {word}:", f"{self.paint.frame('=')} {word_painted}:", 1)
        yield from more

    def _path(self, flow: tuple[Step, ...], number: int) -> Iterator[str]:
        if number == 0:
            yield from self._note("path", self._told(flow, self.finding.carrier))
            yield from self._steps(flow)
        elif number <= MOST_ALSO:
            known = f"text written at {self.at(self.finding.flows[0][0].place)} is "
            yield from self._note("also", self._told(flow).removeprefix(known))
        elif number == MOST_ALSO + 1:
            others = len(self.finding.flows) - number
            yield from self._note(
                "also", f"{_count(others, 'more path')} into this call; the SARIF report has them all"
            )

    def _told(self, flow: tuple[Step, ...], carrier: str = "") -> str:
        """The path in one sentence, both ends named."""
        written = f"text written at {self.at(flow[0].place)}"
        keeping = [number for number, step in enumerate(flow) if step.role is StepRole.KEPT]
        named = (number for number in keeping if flow[number].note == f"kept in {carrier}")
        kept = next(named, keeping[-1] if keeping else None)
        read = next((step for step in flow[kept or 0 :] if step.role is StepRole.READ), None)
        parts = [written]
        parts += [f"is {printable(flow[kept].note)} at {self.at(flow[kept].place)}"] if kept is not None else []
        parts += [f"{'is ' if kept is None else ''}read at {self.at(read.place)}"] if read else []
        end = "reaches this call" if flow[-1].place == self.finding.place else f"reaches {self.at(flow[-1].place)}"
        if len(parts) == 1:
            return f"{written} {end}"
        return f"{parts[0]} {', '.join(parts[1:])}, and {end}"

    def _steps(self, flow: tuple[Step, ...]) -> Iterator[str]:
        """Each step in two lines: what happens, then where, beside the code."""
        numbered = list(enumerate(flow, start=1))
        half = MOST_STEPS // 2
        left_out = len(numbered) - 2 * half if len(numbered) > MOST_STEPS else 0
        shown = [*numbered[:half], *numbered[-half:]] if left_out else numbered
        room = min(max(columns(self.at(step.place)) for _, step in shown), self.width // 2)
        margin = " " * (self.frame.gutter + 3)
        for index, step in shown:
            if left_out and index == numbered[-half][0]:
                gap = f"… {_count(left_out, 'step')} left out; the SARIF report has them all"
                yield f"{margin}   {self.paint.dim(gap)}"
            number = f"{margin}{index:>2} "
            yield number + clipped(printable(step.note), self.width - columns(number))
            where = self.at(step.place)
            pad = " " * max(0, room - columns(where))
            used = len(margin) + 3 + max(room, columns(where)) + 3
            code = self.frame.excerpt(step.place, self.width - used) if self.width - used >= _LEAST_CODE else ""
            beside = f"{pad} {self.paint.frame('|')} {self.paint.dim(code)}" if code else ""
            yield f"{margin}   {self.paint.frame(where)}{beside}"
