"""Observed spans as flat text, for the prompt of a summarizer."""

from __future__ import annotations

from collections.abc import Sequence

from ctxcontracts.spans.span import ObservedSpan
from ctxcontracts.spans.summarizer import checked_spans

_INFORMED = "written after reading a summary: state its facts only where another turn supports them"


def transcript(spans: Sequence[ObservedSpan]) -> str:
    """The spans as `origin: text` paragraphs, in their order.

    A turn that the agent wrote while summaries were in its window is marked as such, since it may repeat what a bad
    summary claimed.

    Raises:
        RewritePolicyError: when a span is derived, or something else than an observed span.
    """
    taken = checked_spans("transcript", spans)
    return "\n\n".join(
        f"{span.origin} ({_INFORMED}): {span.text}" if span.informed_by else f"{span.origin}: {span.text}"
        for span in taken
    )
