"""Whether a summary makes progress. That it is one at all, `guard_summary` and its summarizer have looked at."""

from __future__ import annotations

from ctxcontracts.errors import Promise, Rejection, SummaryRejected


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
