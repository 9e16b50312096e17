"""What the linter says: a finding, its place, and the path that the derived text took.

Every position in ctxlint is counted the same way, whoever parsed the file: lines from 1, columns from 0, in
characters (`ast` counts UTF-8 bytes: the lowering converts), paths relative to the linted folder with `/`.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import NamedTuple


class Severity(Enum):
    """How bad it is if the finding is true. The order of definition is from worst to mildest."""

    ERROR = "error"
    WARNING = "warning"
    INFO = "info"


class Confidence(Enum):
    """How sure the linter is that the finding is true."""

    HIGH = "high"
    MEDIUM = "medium"
    LOW = "low"

    def at_least(self, other: Confidence) -> bool:
        """As sure as `other`, or surer."""
        order = list(Confidence)
        return order.index(self) <= order.index(other)

    def lowered(self) -> Confidence:
        """One level less sure; low stays low."""
        order = list(Confidence)
        return order[min(order.index(self) + 1, len(order) - 1)]


class StepRole(Enum):
    """What happens to the derived text at one step of its path."""

    WRITTEN = "written"  # a summarizer site returns it
    KEPT = "kept"  # it is put into its carrier
    READ = "read"  # it is taken from its carrier
    PASSED = "passed"  # it moves through an argument, a result, a template, a copy
    REACHES = "reaches"  # it enters a summarizer site: always the last step


@dataclass(frozen=True, slots=True, order=True)
class Place:
    """A region of a file: what an editor should underline."""

    path: str
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        """`path:line:column` as terminals and editors link it (column counted from 1)."""
        return f"{self.path}:{self.line}:{self.column + 1}"


@dataclass(frozen=True, slots=True)
class Step:
    """One step of the path, told for a reader: `note` is a clause such as "kept in self.buffer"."""

    role: StepRole
    place: Place
    note: str


@dataclass(frozen=True, slots=True)
class Related:
    """A place outside the path that helps to judge the finding: an outer caller, a marker, the originals."""

    place: Place
    note: str


@dataclass(frozen=True, slots=True)
class Finding:
    """One report: at the summarizer call nearest the model that receives derived text.

    `flows` holds the paths, the shortest first; each starts with a WRITTEN step and ends with a REACHES step.
    A finding without a path (such as CTX901) has no flows. `carrier` is what brings the text back, as a reader
    would write it (`self.buffer`, `state["summary"]`). `advice` is the cheapest fix that fits this site.
    """

    code: str
    slug: str
    message: str
    place: Place
    severity: Severity
    confidence: Confidence
    function: str = ""
    carrier: str = ""
    advice: str = ""
    flows: tuple[tuple[Step, ...], ...] = ()
    related: tuple[Related, ...] = ()

    @property
    def order(self) -> tuple[str, int, int, str]:
        """The key that reports are sorted by: the same for any number of jobs and any order of files."""
        return (self.place.path, self.place.line, self.place.column, self.code)


class Left(NamedTuple):
    """A suppression that no finding stands under: where it is, and the codes and slugs that it names."""

    place: Place
    codes: tuple[str, ...]
