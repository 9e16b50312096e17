"""The conditions of the contracts: named, pure, and true of what the promises allow.

The guards and the contracts of the library call them, and so may you, over your own functions:

    @icontract.require(all_observed, error=violation(all_observed))
    def shorten(spans: Sequence[ObservedSpan]) -> str: ...

icontract passes arguments by name, so a function that uses one has a parameter of the same name: `spans`, `text`,
`by`, `messages`. `result` is what the function returned. `spans` is one span or a collection of spans throughout.
"""

from __future__ import annotations

from collections.abc import Mapping

from ctxcontracts.contracts.error_text import looks_like_error
from ctxcontracts.contracts.kinds import LiveSpans, RewriteLedger, each
from ctxcontracts.spans.holding import where_derived
from ctxcontracts.spans.span import AnySpan, DerivedSpan, ObservedSpan
from ctxcontracts.spans.summarizer import AsyncSummarizer, Summarizer
from ctxcontracts.spans.text import ObservedText, is_sealed

_KINDS = (ObservedSpan, DerivedSpan)

# --- what goes in -----------------------------------------------------------------------------------------------


def all_observed(spans: object) -> bool:
    """Every span is an original (P2)."""
    return all(type(span) is ObservedSpan for span in each(spans))  # final; a mock of it passes isinstance


def all_derived(spans: object) -> bool:
    """Every span is a summary: something to re-derive from its originals."""
    return all(type(span) is DerivedSpan for span in each(spans))


def all_spans(spans: object) -> bool:
    """Every item is a span of either kind."""
    return all(type(span) in _KINDS for span in each(spans))


def at_least_one(spans: object) -> bool:
    """There is a span at all, so that what is made of them has a source (P12)."""
    return len(each(spans)) > 0


def none_repeated(spans: object) -> bool:
    """No span is passed twice (P3)."""
    taken = each(spans)
    ids = {span.id for span in taken if isinstance(span, (ObservedSpan, DerivedSpan))}
    return len(taken) == 1 or len(ids) == len(taken)


def none_pinned(spans: object) -> bool:
    """No span is pinned (P9)."""
    return not any(isinstance(span, ObservedSpan) and span.pinned for span in each(spans))


def generation_at_most_one(spans: object) -> bool:
    """Between every span and the originals lies one rewrite at most (P2)."""
    return all(isinstance(span, (ObservedSpan, DerivedSpan)) and span.generation <= 1 for span in each(spans))


def never_rewritten_before(self: RewriteLedger, spans: object) -> bool:
    """No observed span among them was rewritten already (P3)."""
    return not any(isinstance(span, ObservedSpan) and self.rewritten_into(span.id) for span in each(spans))


def text_is_observed(text: object) -> bool:
    """The text came through a door (P1)."""
    return type(text) is ObservedText and is_sealed(text)


def text_is_not_derived(text: object) -> bool:
    """The text is not derived, by its type and by the mark that summaries carry (P1)."""
    return where_derived({"text": text}) is None


def no_derived_in_messages(messages: object) -> bool:
    """Nothing in the messages is derived, however deep: no span, no exposed text, no marked string (P2)."""
    return where_derived({"messages": messages}) is None


def no_derived_in_options(_KWARGS: Mapping[str, object]) -> bool:  # noqa: N803 - icontract's name for them
    """No option passed by keyword holds derived text (P2)."""
    return where_derived(_KWARGS) is None


def made_by_summarizer(by: object) -> bool:
    """The summarizer is sealed by `@summarizer` (P2)."""
    return type(by) is Summarizer and hasattr(by, "_fn")


def made_by_async_summarizer(by: object) -> bool:
    """The summarizer is sealed by `@async_summarizer` (P2)."""
    return type(by) is AsyncSummarizer and hasattr(by, "_fn")


def may_be_rewritten(self: RewriteLedger, spans: object) -> bool:
    """All that a rewrite asks of its spans, in one condition, since each of its own costs microseconds."""
    taken = each(spans)
    return (
        at_least_one(taken)
        and all_observed(taken)
        and none_repeated(taken)
        and none_pinned(taken)
        and never_rewritten_before(self, taken)
    )


def may_be_rederived(spans: object) -> bool:
    """All that a re-derivation asks of its spans."""
    taken = each(spans)
    return at_least_one(taken) and all_derived(taken) and none_repeated(taken)


# --- what comes out ---------------------------------------------------------------------------------------------


def sources_not_empty(result: object) -> bool:
    """The summary names at least one source (P12)."""
    return isinstance(result, DerivedSpan) and len(result.sources) > 0


def sources_are(result: object, spans: object) -> bool:
    """The sources of the summary are exactly the observed spans that were passed in (P12)."""
    ids = {span.id for span in each(spans) if isinstance(span, ObservedSpan)}
    return isinstance(result, DerivedSpan) and set(result.sources) == ids


def sources_cover(result: object, spans: object) -> bool:
    """The sources of the summary are exactly those of the derived spans that were passed in (P12)."""
    ids = {source for span in each(spans) if isinstance(span, DerivedSpan) for source in span.sources}
    return isinstance(result, DerivedSpan) and set(result.sources) == ids


def smaller_than_sources(result: AnySpan, spans: object) -> bool:
    """The summary is smaller, in tokens, than the spans that it replaces (P7)."""
    return result.tokens < sum(span.tokens for span in each(spans) if isinstance(span, (ObservedSpan, DerivedSpan)))


def observed_as_given(result: object, text: object) -> bool:
    """The new span is observed and has the origin and the role that the door gave its text (P1)."""
    return (
        isinstance(result, ObservedSpan)
        and isinstance(text, ObservedText)
        and result.origin == text.origin
        and result.role is text.role
    )


def rewritten_from(result: DerivedSpan, spans: object) -> bool:
    """All that a rewrite promises of its result."""
    return sources_not_empty(result) and sources_are(result, spans) and smaller_than_sources(result, spans)


def rederived_from(result: DerivedSpan, spans: object) -> bool:
    """All that a re-derivation promises of its result."""
    return sources_not_empty(result) and sources_cover(result, spans)


def none_live(self: LiveSpans, spans: object) -> bool:
    """None of the spans is in the window any more (P5)."""
    return not any(isinstance(span, (ObservedSpan, DerivedSpan)) and self.is_live(span.id) for span in each(spans))


def is_a_summary(text: object) -> bool:
    """The text can stand for its sources: it is not empty, and no error or refusal (P6)."""
    return isinstance(text, str) and bool(text.strip()) and not looks_like_error(text)
