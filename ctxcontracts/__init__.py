"""Make the context of an LLM agent safe to edit.

Every span of the context is observed or derived. A rewrite takes observed spans and gives a derived one; nothing
rewrites a derived span, and nothing turns derived text into observed text. Start with `ContextBuffer`, or put
`@derives` on the summarizer that you have.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ctxcontracts.errors import (
    BrokenPromiseError,
    ClosedStoreError,
    ColdStoreError,
    CompactionError,
    CtxContractsError,
    DamagedOriginalError,
    DerivedAgainError,
    ForgottenError,
    OriginalMissingError,
    PinnedSpanError,
    Promise,
    ProvenanceError,
    ReentryError,
    ReentryWarning,
    Rejection,
    RewritePolicyError,
    StaleRewrite,
    StaleSession,
    StoreVersionError,
    SummaryRejected,
    UnknownSpanError,
    WindowFullError,
)
from ctxcontracts.spans import (
    AnySpan,
    AsyncSummarizer,
    DerivedId,
    DerivedSpan,
    DerivedStr,
    DerivedText,
    ObservedSpan,
    ObservedText,
    Provenance,
    Reference,
    Role,
    SourceId,
    Summarizer,
    TokenCounter,
    assistant_text,
    async_summarizer,
    async_tool,
    carried,
    encoded,
    estimate_tokens,
    expose,
    external_text,
    is_derived,
    is_observed,
    summarizer,
    system_text,
    tool,
    tool_text,
    transcript,
    user_text,
)

if TYPE_CHECKING:
    from ctxcontracts.buffer import ContextBuffer, Rendered, Verification
    from ctxcontracts.coldstore import ColdStore, MemoryStore, SQLiteStore, from_dict
    from ctxcontracts.compaction import Budget, CompactionReport, Compactor, Policy
    from ctxcontracts.contracts.derives import derives

_LATER = {
    "Budget": "compaction",
    "ColdStore": "coldstore",
    "CompactionReport": "compaction",
    "Compactor": "compaction",
    "ContextBuffer": "buffer",
    "MemoryStore": "coldstore",
    "Policy": "compaction",
    "Rendered": "buffer",
    "SQLiteStore": "coldstore",
    "Verification": "buffer",
    "derives": "contracts.derives",
    "from_dict": "coldstore",
}
"""Names that are imported at their first use: they bring sqlite3 and icontract."""

__all__ = [
    "AnySpan",
    "AsyncSummarizer",
    "BrokenPromiseError",
    "Budget",
    "ClosedStoreError",
    "ColdStore",
    "ColdStoreError",
    "CompactionError",
    "CompactionReport",
    "Compactor",
    "ContextBuffer",
    "CtxContractsError",
    "DamagedOriginalError",
    "DerivedAgainError",
    "DerivedId",
    "DerivedSpan",
    "DerivedStr",
    "DerivedText",
    "ForgottenError",
    "MemoryStore",
    "ObservedSpan",
    "ObservedText",
    "OriginalMissingError",
    "PinnedSpanError",
    "Policy",
    "Promise",
    "Provenance",
    "ProvenanceError",
    "ReentryError",
    "ReentryWarning",
    "Reference",
    "Rejection",
    "Rendered",
    "RewritePolicyError",
    "Role",
    "SQLiteStore",
    "SourceId",
    "StaleRewrite",
    "StaleSession",
    "StoreVersionError",
    "Summarizer",
    "SummaryRejected",
    "TokenCounter",
    "UnknownSpanError",
    "Verification",
    "WindowFullError",
    "assistant_text",
    "async_summarizer",
    "async_tool",
    "carried",
    "derives",
    "encoded",
    "estimate_tokens",
    "expose",
    "external_text",
    "from_dict",
    "is_derived",
    "is_observed",
    "summarizer",
    "system_text",
    "tool",
    "tool_text",
    "transcript",
    "user_text",
]


def __getattr__(name: str) -> object:
    """Imports a later name at its first use."""
    module = _LATER.get(name)
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"{__name__}.{module}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """All public names, those of later imports too."""
    return sorted(__all__)
