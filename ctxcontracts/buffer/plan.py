"""One step of a window, decided without changing it: each function gives the `Change`, or says why not.

A span enters a window in three ways (observed, rewritten, re-derived) and leaves it in three; there are no others.
`replayed` gives the change that a journal entry tells of, so that a window is rebuilt by the same steps.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ctxcontracts.buffer import refusal
from ctxcontracts.buffer.claim import Claim, is_ours
from ctxcontracts.buffer.window import Change, Window, number_of
from ctxcontracts.coldstore.journal import (
    NO_FIELDS,
    Fields,
    JournalEntry,
    Observed,
    Pruned,
    Rederived,
    Rewritten,
    Started,
)
from ctxcontracts.spans.provenance import DerivedId, Role, SourceId
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord
from ctxcontracts.spans.span import AnySpan, seal_derived_span, seal_observed_span


class Arrival(NamedTuple):
    """An observed text on its way into the window, measured.

    Attributes:
        text: the text, as a plain `str`.
        digest: its sha256.
        origin: its origin, from its door.
        role: its role, from its door.
        tokens: its size.
        pinned: whether no rewrite and no policy may remove it.
        message: what its message carries beside role and content.
    """

    text: str
    digest: str
    origin: str
    role: Role
    tokens: int
    pinned: bool = False
    message: Fields = NO_FIELDS


def plan_observe(window: Window, arrival: Arrival, *, ahead: int = 0) -> Change:
    """A new original at the end of the window.

    An agent's turn is written after reading the derived spans that are live: it keeps their ids.

    Args:
        window: the window.
        arrival: the text.
        ahead: how many other arrivals of the same batch come before it.
    """
    text, digest, origin, role, tokens, pinned, message = arrival
    number = window.last_observed + 1 + ahead
    informed_by = window.derived if role is Role.ASSISTANT else ()
    record = ObservedRecord(
        SourceId(f"{window.session}:o{number}"), text, digest, origin, role, tokens, pinned, informed_by
    )
    return Change(Observed(record, message), (), seal_observed_span(record), number, tokens)


def plan_prune(window: Window, spans: Sequence[AnySpan]) -> Change | None:
    """The given spans leave; those that have left before change nothing. None when nothing changes.

    Raises:
        UnknownSpanError: when one was never in this window. Nothing leaves then.
    """
    leaving: dict[SourceId | DerivedId, AnySpan] = {}
    for index, span in enumerate(spans):
        if not is_ours(window, span):
            raise refusal.unknown("buffer.prune(spans)", index, span)
        if span.id in window.slot_of:
            leaving[span.id] = span
    if not leaving:
        return None
    ids = tuple(leaving)
    return Change(Pruned(ids), ids, None, 0, -sum(span.tokens for span in leaving.values()))


def plan_rewrite(window: Window, claim: Claim, record: DerivedRecord, *, call: str) -> Change:
    """The claimed spans leave, and the summary takes the place of the first of them.

    Args:
        window: the window, perhaps changed since the claim was made.
        claim: what the rewrite held while its summarizer ran.
        record: the summary, made from the sources of the claim.
        call: the method as the user knows it, for messages.

    Raises:
        StaleRewrite: when a claimed span has left meanwhile, or the claim was given back.
    """
    for span in claim.spans:
        if span.id not in window.slot_of:
            raise refusal.gone(call, span, window.gone[span.id])
        if window.claims.get(span.id) != claim.number:
            raise refusal.claimed(call, span)
    return _replacing(window, tuple(span.id for span in claim.spans), record)


def _replacing(window: Window, removed: tuple[str, ...], record: DerivedRecord) -> Change:
    """The change in which a summary takes the place of live spans: of its sources, or of earlier summaries."""
    slots = [window.slot_of[span_id] for span_id in removed]
    tokens = record.tokens - sum(window.slots[slot].tokens for slot in slots)
    derived = tuple(map(DerivedId, removed))
    entry = Rewritten(record) if removed == record.sources else Rederived(record, derived)
    return Change(entry, removed, seal_derived_span(record), slots[0], tokens)


def replayed(window: Window, entry: JournalEntry) -> Change | None:
    """The change that a journal entry tells of; None when it changes nothing in the window.

    Raises:
        LookupError: when it names spans that are not live.
        ValueError: when an id or the place of a span is impossible.
    """
    match entry:
        case Observed(record, _, _):
            number = number_of(record.id)
            if number <= window.last_observed:
                raise ValueError(record.id)
            return Change(entry, (), seal_observed_span(record), number, record.tokens)
        case Pruned(ids, _):
            tokens = sum(window.slots[window.slot_of[span_id]].tokens for span_id in ids)
            return Change(entry, ids, None, 0, -tokens)
        case Rewritten(record, _):
            return _replacing(window, record.sources, record)
        case Rederived(record, replaced, _):
            return _replacing(window, replaced, record)
        case Started():
            return None
