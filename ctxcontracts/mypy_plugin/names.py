"""The full names under which mypy knows the types and functions of this library."""

from __future__ import annotations

from typing import Final

_TEXT = "ctxcontracts.spans.text"
_SPAN = "ctxcontracts.spans.span"
_DOORS = "ctxcontracts.spans.doors"
_SUMMARIZER = "ctxcontracts.spans.summarizer"
BUFFER: Final = "ctxcontracts.buffer.buffer.ContextBuffer"

DERIVES: Final = "ctxcontracts.contracts.derives.derives"
EXPOSE: Final = f"{_TEXT}.expose"
OBSERVED_TEXT: Final = f"{_TEXT}.ObservedText"
OBSERVED_SPAN: Final = f"{_SPAN}.ObservedSpan"
DERIVED_SPAN: Final = f"{_SPAN}.DerivedSpan"
POISON: Final = f"{_DOORS}.DerivedTextCannotBecomeObserved"

DERIVED: Final = frozenset(
    {
        DERIVED_SPAN,
        f"{_TEXT}.DerivedText",
        f"{_TEXT}.DerivedStr",
        "ctxcontracts.buffer.rendered.Rendered",
    }
)
"""Types whose values are, hold or show derived text."""

DOORS: Final = {
    f"{_DOORS}.{name}": name for name in ("user_text", "assistant_text", "system_text", "external_text", "tool_text")
}
TOOLS: Final = {f"{_DOORS}.{name}": name for name in ("tool", "async_tool")}
SUMMARIZERS: Final = {f"{_SUMMARIZER}.{name}": name for name in ("summarizer", "async_summarizer")}
OBSERVES: Final = {f"{BUFFER}.{name}": name for name in ("observe", "observe_all", "from_messages")}
REWRITES: Final = {f"{BUFFER}.{name}": name for name in ("rewrite", "arewrite")}
REDERIVES: Final = {f"{BUFFER}.{name}": name for name in ("rederive", "arederive")}
CALLS: Final = {f"{_SUMMARIZER}.{name}.__call__": "a summarizer" for name in ("Summarizer", "AsyncSummarizer")}
