"""Suppressions in the linted code: `# ctxlint: ignore[CTX001] reason`.

    # ctxlint: ignore[CTX001] the replay tool keeps the originals   <- alone: speaks for the statement below
    memo = fold(memo, line)
    memo = fold(memo, line)  # ctxlint: ignore[resummarized-summary, CTX002] reviewed in March

Comments are tokens, so the same words inside a string suppress nothing. A suppression without a reason does not
count, and the finding says so.
"""

from __future__ import annotations

import io
import tokenize
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from ctxlint.finding import Finding, Left, Place, Related

_PREFIX = "ctxlint:"
_VERB = "ignore"
_BLANK = frozenset({tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER})


@dataclass(frozen=True, slots=True)
class Suppression:
    """One suppression comment. It speaks for the lines `first` to `last`; `codes` are codes or slugs, as written."""

    codes: tuple[str, ...]
    reason: str
    place: Place
    first: int
    last: int

    def covers(self, finding: Finding) -> bool:
        """Whether it names the finding's rule and stands on, or above, the finding's region."""
        named = finding.code in self.codes or finding.slug in self.codes
        return named and self.first <= finding.place.end_line and finding.place.line <= self.last


@dataclass(frozen=True, slots=True)
class Suppressed:
    """A finding that a comment in the code takes back, and why."""

    finding: Finding
    reason: str


@dataclass(frozen=True, slots=True)
class Verdicts:
    """The findings of a run, parted: what is reported and what was taken back. Both keep their order.

    `unused` are the suppressions that no finding stands under.
    """

    kept: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]
    unused: tuple[Left, ...] = ()


def suppressions(text: str, path: str) -> tuple[Suppression, ...]:
    """The suppression comments of a file, in order. Text that is no Python yields those before the trouble."""
    scan = _Scan()
    for token in _tokens(text):
        if token.type == tokenize.COMMENT:
            for suppression in _parsed(token, path):
                scan.comment(suppression)
        elif token.type == tokenize.NEWLINE:
            scan.statement_ends(token.start[0])
        elif token.type not in _BLANK:
            scan.code(token)
    return tuple(sorted(scan.found, key=lambda suppression: suppression.place))


class _Scan:
    """Which lines each comment speaks for, told while the tokens go by."""

    def __init__(self) -> None:
        self.found: list[Suppression] = []
        self.above_statement: list[Suppression] = []
        self.above_line: list[Suppression] = []  # inside brackets: speaks for the next line of code only
        self.statement: int | None = None
        self.depth = 0
        self.code_line = 0

    def comment(self, suppression: Suppression) -> None:
        if suppression.first == self.code_line:
            self.found.append(suppression)
        elif self.depth:
            self.above_line.append(suppression)
        else:
            self.above_statement.append(suppression)

    def code(self, token: tokenize.TokenInfo) -> None:
        line = token.start[0]
        self.found.extend(replace(s, first=line, last=line) for s in self.above_line)
        self.above_line.clear()
        self.statement = line if self.statement is None else self.statement
        self.code_line = token.end[0]
        if token.type == tokenize.OP:
            self.depth += (token.string in "([{") - (token.string in ")]}")

    def statement_ends(self, line: int) -> None:
        first = self.statement if self.statement is not None else line
        self.found.extend(replace(s, first=first, last=line) for s in self.above_statement)
        self.above_statement.clear()
        self.statement = None


def apply(findings: Sequence[Finding], texts: Mapping[str, str], hidden: Sequence[Finding] = ()) -> Verdicts:
    """Part `findings` by the suppressions in `texts`: path to source text, of the files that have any.

    Args:
        findings: what would be reported.
        texts: sources by path.
        hidden: what is not reported anyway; a suppression of it is used all the same.
    """
    by_path = {path: suppressions(text, path) for path, text in texts.items() if _PREFIX in text}
    used: set[Place] = set()
    kept: list[Finding] = []
    taken: list[Suppressed] = []
    for finding in findings:
        matching = [s for s in by_path.get(finding.place.path, ()) if s.covers(finding)]
        used.update(s.place for s in matching)
        reasoned = next((s for s in matching if s.reason), None)
        if reasoned is not None:
            taken.append(Suppressed(finding, reasoned.reason))
        elif matching:
            note = "this suppression does not count: it gives no reason; write one after the bracket"
            notes = tuple(Related(s.place, note) for s in matching)
            kept.append(replace(finding, related=(*finding.related, *notes)))
        else:
            kept.append(finding)
    for finding in hidden:
        used.update(s.place for s in by_path.get(finding.place.path, ()) if s.covers(finding))
    # A comment speaks for several lines in as many suppressions.
    all_places = {s.place: Left(s.place, s.codes) for path in sorted(by_path) for s in by_path[path]}
    left = {place: told for place, told in all_places.items() if place not in used}
    return Verdicts(tuple(kept), tuple(taken), tuple(left.values()))


def _tokens(text: str) -> Iterator[tokenize.TokenInfo]:
    try:
        yield from tokenize.generate_tokens(io.StringIO(text).readline)
    except (tokenize.TokenError, SyntaxError):
        return


def _parsed(token: tokenize.TokenInfo, path: str) -> Iterator[Suppression]:
    """The suppressions in one comment. Several comments may share it: `# noqa: E501  # ctxlint: ignore[...] why`."""
    line = token.start[0]
    place = Place(path, line, token.start[1], line, token.end[1])
    for part in token.string.split("#"):
        words = part.strip()
        if not words.startswith(_PREFIX):
            continue
        verb, bracket, rest = words.removeprefix(_PREFIX).strip().partition("[")
        names, closed, reason = rest.partition("]")
        if verb.strip() != _VERB or not bracket or not closed:
            continue
        codes = tuple(name.strip() for name in names.split(",") if name.strip())
        yield Suppression(codes, reason.strip(" \t:-"), place, line, line)
