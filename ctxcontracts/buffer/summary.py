"""Whether a summary may stand for its sources: not empty, no error or refusal, no earlier summary, and smaller."""

from __future__ import annotations

from ctxcontracts.contracts.guards import guard_summary
from ctxcontracts.errors import Promise, Rejection, SummaryRejected
from ctxcontracts.spans.mark import OPEN


def check_summary(summary: str, call: str) -> None:
    """Refuses a text that is no summary.

    Args:
        summary: what the summarizer wrote.
        call: the call as the user knows it, with the name of the summarizer.

    Raises:
        SummaryRejected: when the text is blank, an error or a refusal, or carries the mark of a derived span.
    """
    guard_summary(summary, call=call)
    if OPEN in summary:
        raise SummaryRejected(
            f"{call}: the summary carries the mark of a derived span",
            reason=Rejection.CARRIES_DERIVED,
            promise=Promise.OBSERVED_ONLY,
            instead="give the model the spans that were passed in, and no rendered messages",
        )


def check_smaller(tokens: int, sources: int, call: str) -> None:
    """Refuses a summary that saves nothing.

    Args:
        tokens: its size as rendered, with its mark.
        sources: the size of the originals that it was made from.
        call: the call as the user knows it, with the name of the summarizer.

    Raises:
        SummaryRejected: when it is not smaller than its sources.
    """
    if tokens >= sources:
        raise SummaryRejected(
            f"{call}: the summary has {tokens} tokens, with its mark, and its sources have {sources}",
            reason=Rejection.NOT_SMALLER,
            promise=Promise.PROGRESS,
            instead="ask for a shorter summary, rewrite more spans at once, or leave spans that small alone",
        )
