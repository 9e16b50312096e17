"""The first phase of a rewrite: which spans it may have, and that nobody else works on them meanwhile.

Pure decisions over a window; the buffer holds its lock around them. A prune is always allowed, so a claimed span can
still leave: then the second phase (`plan_rewrite`) finds it gone and changes nothing.
"""

from __future__ import annotations

from typing import NamedTuple, TypeVar, cast, final

from ctxcontracts.buffer import refusal
from ctxcontracts.buffer.window import Window, number_of
from ctxcontracts.contracts.guards import guard_rederivable, guard_rewritable
from ctxcontracts.contracts.kinds import each
from ctxcontracts.errors import CtxContractsError
from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.span import AnySpan, DerivedSpan, ObservedSpan

S = TypeVar("S", ObservedSpan, DerivedSpan)


class Claim(NamedTuple):
    """What a running rewrite holds.

    Attributes:
        id: the id that its result will have. It also tells this claim from all others.
        spans: the live spans that it will replace, in the order of the window; all of one kind.
        ids: their ids.
        sources: the originals that its result will be made from, in the order of the window.
        most: the size that its result has to stay below, beside that of its originals; None for no other bound.
    """

    id: DerivedId
    spans: tuple[AnySpan, ...]
    ids: tuple[SourceId | DerivedId, ...]
    sources: tuple[SourceId, ...]
    most: int | None = None


@final
class Tighter(tuple[DerivedSpan, ...]):
    """Derived spans whose re-derivation has to be smaller than they are: how a compaction calls `rederive`."""

    __slots__ = ()


def claim_observed(window: Window, spans: object, call: str) -> Claim:
    """A claim on observed spans, for a rewrite.

    Args:
        window: the window.
        spans: what the caller wants to rewrite.
        call: the call as the user knows it, for messages.

    Raises:
        RewritePolicyError: when there is no span, one stands there twice, is not observed, or was rewritten before.
        PinnedSpanError: when a span is pinned.
        UnknownSpanError: when a span belongs to another buffer.
        StaleRewrite: when a span was pruned, or another rewrite works on it.
    """
    taken = _free(window, each(spans), ObservedSpan)
    if taken is None:
        raise _refusal(window, guard_rewritable(window, spans, call=call), call)
    ids = tuple([span.id for span in taken])
    return Claim(_next_id(window), taken, ids, ids)


def claim_derived(window: Window, spans: object, call: str) -> Claim:
    """A claim on derived spans, for a re-derivation from the union of their sources.

    Raises:
        RewritePolicyError: when there is no span, one stands there twice or is not derived.
        UnknownSpanError: when a span belongs to another buffer.
        StaleRewrite: when a span was pruned or replaced, or another re-derivation works on it.
    """
    taken = _free(window, each(spans), DerivedSpan)
    if taken is None:
        raise _refusal(window, guard_rederivable(spans, call=call), call)
    sources = taken[0].sources
    if len(taken) > 1:
        # An id's number is its place in the window, so the union is in order even where the spans interleave.
        sources = tuple(sorted((source for span in taken for source in span.sources), key=number_of))
    most = sum(span.tokens for span in taken) if isinstance(spans, Tighter) else None
    return Claim(_next_id(window), taken, tuple([span.id for span in taken]), sources, most)


def hold(window: Window, claim: Claim) -> None:
    """Enters a claim. Its id is used up, whatever becomes of the rewrite."""
    window.last_derived += 1
    for span_id in claim.ids:
        window.claims[span_id] = claim.id


def release(window: Window, claim: Claim) -> None:
    """Gives the spans of a claim back. A second call does nothing."""
    claims = window.claims
    for span_id in claim.ids:
        if claims.get(span_id) == claim.id:
            claims.pop(span_id, None)


def is_ours(window: Window, span: AnySpan) -> bool:
    """Whether a span is or was in this window."""
    span_id = span.id
    slot = window.slot_of.get(span_id)
    if slot is None:
        return span_id in window.gone
    live = window.slots[slot]
    return live is span or live == span


def _next_id(window: Window) -> DerivedId:
    return DerivedId(f"{window.session}:d{window.last_derived + 1}")


def _free(window: Window, spans: tuple[object, ...], kind: type[S]) -> tuple[S, ...] | None:
    """The spans in the order of the window, if nothing speaks against a claim on them; the usual case, in one pass.

    A live, unpinned and unclaimed observed span was never rewritten: rewriting removes.
    """
    slots: list[int] = []
    for span in spans:
        if type(span) is not kind or span.pinned:
            return None
        slot = window.slot_of.get(span.id)
        if slot is None or span.id in window.claims:
            return None
        live = window.slots[slot]
        if live is not span and live != span:
            return None
        slots.append(slot)
    ordered = sorted(set(slots))
    if len(ordered) != len(slots) or not slots:
        return None
    taken = spans if ordered == slots else [window.slots[slot] for slot in ordered]
    return cast("tuple[S, ...]", tuple(taken))


def _refusal(window: Window, spans: tuple[AnySpan, ...], call: str) -> CtxContractsError:
    """Why spans that fulfil the conditions cannot be claimed now: one is foreign, gone or claimed."""
    for index, span in enumerate(spans):
        if not is_ours(window, span):
            return refusal.unknown(call, index, span)
        if span.id not in window.slot_of:
            return refusal.gone(call, span, window.gone[span.id])
    return refusal.claimed(call, next(span for span in spans if span.id in window.claims))
