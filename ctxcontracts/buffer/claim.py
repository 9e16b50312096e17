"""The first phase of a rewrite: which spans it may have, and that nobody else works on them meanwhile.

Pure decisions over a window; the buffer holds its lock around them. A prune is always allowed, so a claimed span can
still leave: then the second phase (`plan_rewrite`) finds it gone and changes nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter
from typing import NamedTuple

from ctxcontracts.buffer import refusal
from ctxcontracts.buffer.window import Window, number_of
from ctxcontracts.contracts.guards import guard_rederivable, guard_rewritable
from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.span import AnySpan


class Claim(NamedTuple):
    """What a running rewrite holds.

    Attributes:
        id: the id that its result will have. It also tells this claim from all others.
        spans: the live spans that it will replace, in the order of the window; all of one kind.
        sources: the originals that its result will be made from, in the order of the window.
    """

    id: DerivedId
    spans: tuple[AnySpan, ...]
    sources: tuple[SourceId, ...]

    @property
    def number(self) -> int:
        """The number under which the window knows this claim."""
        return number_of(self.id)


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
    taken = guard_rewritable(window, spans, call=call)
    ordered = _free_in_order(window, taken, call)
    return Claim(_next_id(window), ordered, tuple([SourceId(span.id) for span in ordered]))


def claim_derived(window: Window, spans: object, call: str) -> Claim:
    """A claim on derived spans, for a re-derivation from the union of their sources.

    Raises:
        RewritePolicyError: when there is no span, one stands there twice or is not derived.
        UnknownSpanError: when a span belongs to another buffer.
        StaleRewrite: when a span was pruned or replaced, or another re-derivation works on it.
    """
    taken = guard_rederivable(spans, call=call)
    # An id's number is its place in the window, so the union is in order even where the spans interleave.
    sources = sorted({source for span in taken for source in span.sources}, key=number_of)
    return Claim(_next_id(window), _free_in_order(window, taken, call), tuple(sources))


def hold(window: Window, claim: Claim) -> None:
    """Enters a claim. Its id is used up, whatever becomes of the rewrite."""
    window.last_derived = claim.number
    window.claims.update((span.id, claim.number) for span in claim.spans)


def release(window: Window, claim: Claim) -> None:
    """Gives the spans of a claim back. A second call does nothing."""
    for span in claim.spans:
        if window.claims.get(span.id) == claim.number:
            del window.claims[span.id]


def is_ours(window: Window, span: AnySpan) -> bool:
    """Whether a span is or was in this window."""
    slot = window.slot_of.get(span.id)
    return span.id in window.gone if slot is None else window.slots[slot] == span


def _next_id(window: Window) -> DerivedId:
    return DerivedId(f"{window.session}:d{window.last_derived + 1}")


def _free_in_order(window: Window, spans: Sequence[AnySpan], call: str) -> tuple[AnySpan, ...]:
    """The spans in the order of the window, once each is known to be ours, live and unclaimed."""
    places: list[tuple[int, AnySpan]] = []
    for index, span in enumerate(spans):
        slot = window.slot_of.get(span.id)
        if not is_ours(window, span):
            raise refusal.unknown(call, index, span)
        if slot is None:
            raise refusal.gone(call, span, window.gone[span.id])
        if span.id in window.claims:
            raise refusal.claimed(call, span)
        places.append((slot, span))
    if len(places) > 1:
        places.sort(key=itemgetter(0))
    return tuple([span for _, span in places])
