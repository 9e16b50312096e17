"""Spans: the sealed types, the doors, and the summarizers."""

from __future__ import annotations

from ctxcontracts.spans.doors import (
    DerivedTextCannotBecomeObserved,
    assistant_text,
    async_tool,
    external_text,
    system_text,
    tool,
    tool_text,
    user_text,
)
from ctxcontracts.spans.provenance import DerivedId, Provenance, Reference, Role, SourceId
from ctxcontracts.spans.running import carried
from ctxcontracts.spans.span import AnySpan, DerivedSpan, ObservedSpan, is_derived, is_observed
from ctxcontracts.spans.summarizer import AsyncSummarizer, Summarizer, async_summarizer, summarizer
from ctxcontracts.spans.text import DerivedStr, DerivedText, ObservedText, expose
from ctxcontracts.spans.tokens import TokenCounter, estimate_tokens
from ctxcontracts.spans.transcript import transcript
from ctxcontracts.spans.travel import encoded

__all__ = [
    "AnySpan",
    "AsyncSummarizer",
    "DerivedId",
    "DerivedSpan",
    "DerivedStr",
    "DerivedText",
    "DerivedTextCannotBecomeObserved",
    "ObservedSpan",
    "ObservedText",
    "Provenance",
    "Reference",
    "Role",
    "SourceId",
    "Summarizer",
    "TokenCounter",
    "assistant_text",
    "async_summarizer",
    "async_tool",
    "carried",
    "encoded",
    "estimate_tokens",
    "expose",
    "external_text",
    "is_derived",
    "is_observed",
    "summarizer",
    "system_text",
    "tool",
    "tool_text",
    "transcript",
    "user_text",
]
