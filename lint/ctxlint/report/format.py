"""The formats of a report. Each reporter is imported only when its format is asked for."""

from __future__ import annotations

from enum import Enum

from ctxlint.outcome import Outcome
from ctxlint.report.paint import Paint


class Format(Enum):
    """How an outcome is written."""

    TEXT = "text"
    SARIF = "sarif"


def render(outcome: Outcome, form: Format, *, paint: Paint | None = None, prefix: str = "", width: int = 100) -> str:
    """The report, ending with a newline.

    Args:
        outcome: what a run found.
        form: text or SARIF.
        paint: colours of the text; None for plain text.
        prefix: put before every path in the text, so that a terminal can open it (`app/`). SARIF paths stay relative
            to the linted folder.
        width: columns that the text may use.
    """
    if form is Format.SARIF:
        from ctxlint.report.sarif import sarif  # noqa: PLC0415 - json and the rules' documents load only here

        return sarif(outcome)
    from ctxlint.report.text import text  # noqa: PLC0415 - the same

    return text(outcome, paint=paint or Paint(), prefix=prefix, width=width)
