"""Findings made by hand, to test what comes after the rules."""

from __future__ import annotations

from pathlib import Path

from ctxlint.finding import Confidence, Finding, Place, Related, Severity, Step, StepRole
from ctxlint.outcome import Measures, Outcome
from ctxlint.suppress import Suppressed

SOURCE = """class Memory:
    def __init__(self, llm):
        self.llm = llm
        self.notes = ""

    def save(self, page):
        self.notes = self.fold(page, self.notes)

    def fold(self, page, notes):
        prompt = "Summarize: " + notes
        return self.llm.invoke(
            prompt + page,
        )
"""


def place(line: int, column: int, end_line: int, end_column: int, path: str = "app/memory.py") -> Place:
    """A place in `SOURCE`."""
    return Place(path, line, column, end_line, end_column)


CALL = place(11, 15, 13, 9)
PATH = (
    Step(StepRole.WRITTEN, CALL, "the summary that `self.llm.invoke(...)` writes"),
    Step(StepRole.KEPT, place(7, 8, 7, 48), "kept in self.notes"),
    Step(StepRole.READ, place(7, 37, 7, 47), "read in the next call of save"),
    Step(StepRole.REACHES, CALL, "derived text reaches this call"),
)


def drift(**changes: object) -> Finding:
    """A CTX001 finding with a whole path; `changes` are fields to set otherwise."""
    fields: dict[str, object] = {
        "code": "CTX001",
        "slug": "resummarized-summary",
        "message": "an earlier summary is summarized again",
        "place": CALL,
        "severity": Severity.ERROR,
        "confidence": Confidence.HIGH,
        "function": "Memory.fold",
        "carrier": "self.notes",
        "advice": "keep the pages and summarize them again",
        "flows": (PATH,),
        "related": (Related(place(7, 21, 7, 48), "called from Memory.save"),),
    }
    return Finding(**{**fields, **changes})  # type: ignore[arg-type]


def outcome(*findings: Finding, suppressed: tuple[Suppressed, ...] = (), text: str = SOURCE) -> Outcome:
    """An outcome that holds `findings`."""
    return Outcome(Path("/project"), findings, suppressed, {"app/memory.py": text}, Measures(3, 40, 1, 2))
