"""Whether a summary makes progress. That it is one at all, `guard_summary` and its summarizer have looked at."""

from __future__ import annotations

from ctxcontracts.errors import Promise, Rejection, SummaryRejected


def check_smaller(tokens: int, most: int, call: str, *, than: str) -> None:
    """Refuses a summary that saves nothing.

    Args:
        tokens: its size as rendered, with its mark.
        most: the size that it has to stay below.
        call: the call as the user knows it.
        than: whose size that is.

    Raises:
        SummaryRejected: when it is not smaller.
    """
    if tokens >= most:
        raise SummaryRejected(
            f"{call}: the summary has {tokens} tokens, with its mark, and {than} have {most}",
            reason=Rejection.NOT_SMALLER,
            promise=Promise.PROGRESS,
            instead="ask for a shorter summary, rewrite more spans at once, or leave spans that small alone",
        )
