"""The conditions as checks in plain code: they raise whatever the switches, the threads and the event loops do.

Contracts can be turned off, and icontract skips a check where calls overlap (`tests/contracts` shows it). A guard
calls the same condition and raises the same error. It looks at a tuple, which nobody else can change meanwhile.
"""

from __future__ import annotations

from typing import Any, cast

from ctxcontracts.contracts import predicates as p
from ctxcontracts.contracts.kinds import RewriteLedger, each
from ctxcontracts.contracts.violation import explained
from ctxcontracts.spans.span import AnySpan, DerivedSpan, ObservedSpan
from ctxcontracts.spans.summarizer import AsyncSummarizer, Summarizer
from ctxcontracts.spans.text import ObservedText


def guard_observed(spans: object, /, *, call: str) -> tuple[ObservedSpan, ...]:
    """The spans as a tuple, once each is known to be observed.

    Args:
        spans: one span or a collection of spans.
        call: the call as its user wrote it, for the message.

    Raises:
        RewritePolicyError: when one is not an `ObservedSpan`.
    """
    if type(spans) is ObservedSpan:  # final, and the usual case
        return (spans,)
    taken = each(spans)
    if not p.all_observed(taken):
        raise explained(p.all_observed, call, spans=_shown(spans, taken))
    return cast("tuple[ObservedSpan, ...]", taken)


def guard_derived(spans: object, /, *, call: str) -> tuple[DerivedSpan, ...]:
    """The spans as a tuple, once each is known to be derived.

    Raises:
        RewritePolicyError: when one is not a `DerivedSpan`.
    """
    if type(spans) is DerivedSpan:
        return (spans,)
    taken = each(spans)
    if not p.all_derived(taken):
        raise explained(p.all_derived, call, spans=_shown(spans, taken))
    return cast("tuple[DerivedSpan, ...]", taken)


def guard_spans(spans: object, /, *, call: str) -> tuple[AnySpan, ...]:
    """The spans as a tuple, once each is known to be a span.

    Raises:
        ProvenanceError: when one is not.
    """
    if type(spans) is ObservedSpan or type(spans) is DerivedSpan:
        return (spans,)
    taken = each(spans)
    if not p.all_spans(taken):
        raise explained(p.all_spans, call, spans=_shown(spans, taken))
    return cast("tuple[AnySpan, ...]", taken)


def guard_rewritable(ledger: RewriteLedger, spans: object, /, *, call: str) -> tuple[ObservedSpan, ...]:
    """The spans as a tuple, once a rewrite may take them.

    Raises:
        RewritePolicyError: when there is none, one is not observed, is passed twice, or was rewritten before.
        PinnedSpanError: when one is pinned.
    """
    taken = each(spans)
    if not p.may_be_rewritten(ledger, taken):
        raise explained(p.may_be_rewritten, call, self=ledger, spans=_shown(spans, taken))
    return cast("tuple[ObservedSpan, ...]", taken)


def guard_rederivable(spans: object, /, *, call: str) -> tuple[DerivedSpan, ...]:
    """The spans as a tuple, once a re-derivation may take them.

    Raises:
        RewritePolicyError: when there is none, one is not derived, or is passed twice.
    """
    taken = each(spans)
    if not p.may_be_rederived(taken):
        raise explained(p.may_be_rederived, call, spans=_shown(spans, taken))
    return cast("tuple[DerivedSpan, ...]", taken)


def guard_text(text: object, /, *, call: str) -> ObservedText:
    """The text, once it is known to have come through a door.

    Raises:
        ProvenanceError: when it did not.
    """
    if not p.text_is_observed(text):
        raise explained(p.text_is_observed, call, text=text)
    return cast("ObservedText", text)


def guard_summarizer(by: object, /, *, call: str) -> Summarizer[Any]:
    """The summarizer, once it is known to be sealed.

    Raises:
        ProvenanceError: when it is not made by `@summarizer`.
    """
    if not p.made_by_summarizer(by):
        raise explained(p.made_by_summarizer, call, by=by)
    return cast("Summarizer[Any]", by)


def guard_async_summarizer(by: object, /, *, call: str) -> AsyncSummarizer[Any]:
    """The async summarizer, once it is known to be sealed.

    Raises:
        ProvenanceError: when it is not made by `@async_summarizer`.
    """
    if not p.made_by_async_summarizer(by):
        raise explained(p.made_by_async_summarizer, call, by=by)
    return cast("AsyncSummarizer[Any]", by)


def guard_summary(text: object, /, *, call: str) -> str:
    """The text, once it can stand for its sources.

    Raises:
        SummaryRejected: when it is no text, empty, or the text of an error or a refusal.
    """
    if not p.is_a_summary(text):
        raise explained(p.is_a_summary, call, text=text)
    return cast("str", text)


def _shown(spans: object, taken: tuple[object, ...]) -> object:
    """What an error is told: the tuple that was looked at, or the one item that was passed bare."""
    return spans if len(taken) == 1 and taken[0] is spans else taken
