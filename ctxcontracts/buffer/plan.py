"""One step of a window, decided without changing it: each function gives the `Change`, or says why not.

A span enters a window in three ways (observed, rewritten, re-derived) and leaves it in three; there are no others.
`replayed` gives the change that a journal entry tells of, so that a window is rebuilt by the same steps.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple, TypeVar, cast

from ctxcontracts.buffer import refusal
from ctxcontracts.buffer.claim import Claim
from ctxcontracts.buffer.window import Change, Window, number_of
from ctxcontracts.coldstore.journal import (
    NO_FIELDS,
    Fields,
    JournalEntry,
    Observed,
    Pruned,
    Rederived,
    Rewritten,
    Tombstone,
)
from ctxcontracts.spans.provenance import DerivedId, Role, SourceId
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord
from ctxcontracts.spans.span import AnySpan, seal_derived_span, seal_observed_span

T = TypeVar("T", bound=tuple[object, ...])


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

    def __repr__(self) -> str:
        return f"<Arrival from {self.origin}, {len(self.text)} characters>"


def _maker(kind: type[T]) -> Callable[[tuple[object, ...]], T]:
    """Makes a named tuple of all its fields at a third of the price of calling its class."""
    return cast("Callable[[tuple[object, ...]], T]", partial(tuple.__new__, kind))  # pyright: ignore[reportUnknownMemberType]


_ASSISTANT = Role.ASSISTANT

# Each observed text takes one of each of the first four.
new_arrival: Callable[[tuple[object, ...]], Arrival] = _maker(Arrival)
_new_record = _maker(ObservedRecord)
_new_observed = _maker(Observed)
_new_change = _maker(Change)
_new_pruned = _maker(Pruned)


def plan_observe(window: Window, arrival: Arrival, ahead: int = 0) -> Change:
    """A new original at the end of the window.

    An agent's turn is written after reading the derived spans that are live: it keeps their ids.

    Args:
        window: the window.
        arrival: the text.
        ahead: how many other arrivals of the same batch come before it.
    """
    text, digest, origin, role, tokens, pinned, message = arrival
    number = window.last_observed + 1 + ahead
    span_id = f"{window.session}:o{number}"
    informed_by = window.informing() if role is _ASSISTANT else ()
    record = _new_record((span_id, text, digest, origin, role, tokens, pinned, informed_by))
    entry = _new_observed((record, message, NO_FIELDS))
    return _new_change((entry, (), seal_observed_span(record), number, tokens))


def plan_observe_all(window: Window, arrivals: Sequence[Arrival]) -> list[Change]:
    """As `plan_observe`, for several texts in a row."""
    return [plan_observe(window, arrival, ahead) for ahead, arrival in enumerate(arrivals)]


def plan_prune(window: Window, spans: Sequence[AnySpan]) -> Change | None:
    """The given spans leave; those that have left before change nothing. None when nothing changes.

    Raises:
        UnknownSpanError: when one was never in this window. Nothing leaves then.
    """
    slot_of = window.slot_of
    leaving: dict[SourceId | DerivedId, int] = {}
    for index, span in enumerate(spans):
        span_id = span.id
        slot = slot_of.get(span_id)
        if slot is None:
            if span_id not in window.gone:
                raise refusal.unknown("buffer.prune(spans)", index, span)
            continue
        live = window.slots[slot]
        if live is not span and live != span:
            raise refusal.unknown("buffer.prune(spans)", index, span)
        leaving[span_id] = live.tokens
    if not leaving:
        return None
    ids = tuple(leaving)
    return _new_change((_new_pruned((ids, NO_FIELDS)), ids, None, 0, -sum(leaving.values())))


class Swap(NamedTuple):
    """A finished rewrite.

    Attributes:
        claim: what it held while its summarizer ran.
        record: the summary, made from the sources of the claim.
        call: the call as the user knows it, for messages.
        runs: what is heard of the summary where it comes back.
    """

    claim: Claim
    record: DerivedRecord
    call: str
    runs: bytes = b""


def plan_rewrite(window: Window, swap: Swap) -> Change:
    """The claimed spans leave, and the summary takes the place of the first of them.

    Raises:
        StaleRewrite: when a claimed span has left meanwhile, or the claim was given back.
    """
    claim = swap.claim
    for span, span_id in zip(claim.spans, claim.ids, strict=True):
        if span_id not in window.slot_of:
            raise refusal.gone(swap.call, span, window.gone[span_id])
        if window.claims.get(span_id) != claim.id:
            raise refusal.claimed(swap.call, span)
    return _replacing(window, claim.ids, swap.record, swap.runs)


def _replacing(
    window: Window, removed: tuple[SourceId | DerivedId, ...], record: DerivedRecord, runs: bytes
) -> Change:
    """The change in which a summary takes the place of live spans: of its sources, or of earlier summaries."""
    tokens = record.tokens
    for span_id in removed:
        tokens -= window.slots[window.slot_of[span_id]].tokens
    rewritten = removed == record.sources
    if rewritten:
        entry: JournalEntry = Rewritten(record, NO_FIELDS, runs)
    else:
        entry = Rederived(record, tuple(map(DerivedId, removed)), NO_FIELDS, runs)
    return Change(entry, removed, seal_derived_span(record), window.slot_of[removed[0]], tokens)


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
        case Pruned(all_ids, _):
            ids = tuple(span_id for span_id in all_ids if span_id not in window.forgotten)
            tokens = sum(window.slots[window.slot_of[span_id]].tokens for span_id in ids)
            return Change(entry, ids, None, 0, -tokens)
        case Rewritten(record, _, runs):
            return _replacing(window, record.sources, record, runs)
        case Tombstone(span_id, left, _):
            if span_id in window.slot_of or span_id in window.gone:
                raise ValueError(span_id)
            leaving = tuple(one for one in left if one in window.slot_of)
            tokens = sum(window.slots[window.slot_of[one]].tokens for one in leaving)
            return Change(entry, leaving, None, number_of(span_id), -tokens)
        case Rederived(record, replaced, _, runs):
            return _replacing(window, replaced, record, runs)
        case _:
            return None
