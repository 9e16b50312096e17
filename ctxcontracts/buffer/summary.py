"""Whether a summary may stand for its sources: not empty, no error or refusal, no earlier summary, and smaller."""

from __future__ import annotations

from ctxcontracts.errors import Promise, Rejection, SummaryRejected
from ctxcontracts.spans.mark import OPEN

ERROR_OPENINGS = (
    "error:",
    "error code:",
    "exception:",
    "fatal:",
    "traceback (most recent call last)",
    "internal server error",
    "api error",
    "http error",
    "rate limit exceeded",
    "context length exceeded",
    "request timed out",
    '{"error"',
    "<!doctype html",
)
"""How the text of an error begins, in lower case, when it was returned in place of a summary."""

REFUSAL_OPENINGS = (
    "i'm sorry, but i can",
    "i am sorry, but i can",
    "i'm sorry, i can",
    "i am sorry, i can",
    "sorry, but i can",
    "sorry, i can",
    "i can't assist",
    "i cannot assist",
    "i can't help with",
    "i cannot help with",
    "i can't summarize",
    "i cannot summarize",
    "i'm unable to summarize",
    "i am unable to summarize",
    "as an ai",
)
"""How a model refuses, in lower case with straight apostrophes."""


def is_blank(summary: str) -> bool:
    """Whether a summary says nothing."""
    return not summary.strip()


def is_error_text(summary: str) -> bool:
    """Whether a summary is the text of an error or a refusal, by how it begins.

    It errs on the side of acceptance: a summary that tells of an error further on is one. A word list cannot know
    everything; a summarizer that can tell failure from success should raise.
    """
    start = summary.lstrip(" \t\r\n*_`#\"'")[:80].lower().replace("\N{RIGHT SINGLE QUOTATION MARK}", "'")
    return start.startswith((*ERROR_OPENINGS, *REFUSAL_OPENINGS)) or summary.lstrip().lower().startswith('{"error"')


def carries_derived(text: str) -> bool:
    """Whether a text carries the mark of derived text."""
    return OPEN in text


def check_summary(summary: str, by: str) -> None:
    """Refuses a text that is no summary.

    Args:
        summary: what the summarizer wrote.
        by: its name.

    Raises:
        SummaryRejected: when the text is blank, an error or a refusal, or carries the mark of a derived span.
    """
    if is_blank(summary):
        raise SummaryRejected(
            f"{by} returned an empty summary",
            reason=Rejection.EMPTY,
            promise=Promise.NO_FAILED_SUMMARY,
            instead="try again, or raise in the summarizer when the model gives nothing",
        )
    if is_error_text(summary):
        raise SummaryRejected(
            f"{by} returned {len(summary)} characters that begin as an error or a refusal does",
            reason=Rejection.ERROR_TEXT,
            promise=Promise.NO_FAILED_SUMMARY,
            instead="raise in the summarizer when the call fails, and try again; let no summary open with such words",
        )
    if carries_derived(summary):
        raise SummaryRejected(
            f"{by} returned a text that carries the mark of a derived span",
            reason=Rejection.CARRIES_DERIVED,
            promise=Promise.OBSERVED_ONLY,
            instead="give the model the spans that were passed in, and no rendered messages",
        )


def check_smaller(tokens: int, sources: int, by: str) -> None:
    """Refuses a summary that saves nothing.

    Args:
        tokens: its size as rendered, with its mark.
        sources: the size of the originals that it was made from.
        by: the name of the summarizer.

    Raises:
        SummaryRejected: when it is not smaller than its sources.
    """
    if tokens >= sources:
        raise SummaryRejected(
            f"{by} made {tokens} tokens, with the mark, of sources that have {sources}",
            reason=Rejection.NOT_SMALLER,
            promise=Promise.PROGRESS,
            instead="ask for a shorter summary, rewrite more spans at once, or leave spans that small alone",
        )
