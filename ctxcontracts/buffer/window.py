"""The window: which spans are live, in which order, and how one change is applied.

    slots    {1: o1, 2: o2, 3: o3}      a span's slot is the number in the id of its (first) original
    rewrite  o2, o3 -> d1
    slots    {1: o1, 2: d1}             the summary stands where its first source stood
    gone     {o2: d1, o3: d1}           and who took its place; None after a prune

An emptied slot is deleted and a refilled one keeps its place in the dictionary, so iteration is always in order: no
sort, no search, and each change costs what it touches.
"""

from __future__ import annotations

from typing import NamedTuple, cast, final

from ctxcontracts.coldstore.journal import Fields, JournalEntry, Observed, Rederived, Rewritten, Tombstone
from ctxcontracts.contracts.echoes import Echoes
from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.record import digest_of
from ctxcontracts.spans.span import AnySpan, DerivedSpan, ObservedSpan


class Change(NamedTuple):
    """What one operation does to a window, decided before anything is changed.

    Attributes:
        entry: how the journal tells it.
        removed: the ids of the live spans that leave.
        span: the span that comes in, if one does.
        slot: where it comes in.
        tokens: by how much the size of the window grows, usually less than nothing.
    """

    entry: JournalEntry
    removed: tuple[SourceId | DerivedId, ...]
    span: AnySpan | None
    slot: int
    tokens: int


def number_of(span_id: str) -> int:
    """The number in an id: 7 for `SESSION:o7`.

    Raises:
        ValueError: when it is no id of ours.
    """
    return int(span_id[span_id.rindex(":") + 2 :])


@final
class Window:
    """The state of a buffer. Nothing here locks, stores or calls out: `plan.py` decides, `apply` carries out.

    Attributes:
        session: the session, which is in every id.
        slots: the live spans by slot, in order.
        slot_of: the slot of each live span by id.
        tokens: the sum of the sizes of the live spans.
        gone: each span that is no longer live, with the derived span that took its place, or None after a prune.
        forgotten: the spans whose texts were forgotten; they are gone, too.
        last_observed: the highest number given to an observed span.
        last_derived: the highest number given, or promised to a running rewrite.
        derived: the ids of the live derived spans, oldest first, as the keys of a dictionary.
        messages: what the messages of live observed spans carry beside role and content.
        wholes: the derived spans by the digest of their whole text, white space at its ends apart.
        echoes: what is heard of the latest derived spans where they come back.
        claims: the ids of spans that a running rewrite works on, each with the id of the claim.
    """

    __slots__ = (
        "_derived",
        "claims",
        "derived",
        "echoes",
        "forgotten",
        "gone",
        "last_derived",
        "last_observed",
        "messages",
        "session",
        "slot_of",
        "slots",
        "tokens",
        "wholes",
    )

    def __init__(self, session: str) -> None:
        self.session: str = session
        self.slots: dict[int, AnySpan] = {}
        self.slot_of: dict[str, int] = {}
        self.tokens: int = 0
        self.gone: dict[str, DerivedId | None] = {}
        self.wholes: dict[str, DerivedId] = {}
        self.echoes: Echoes = Echoes()
        self.forgotten: set[str] = set()
        self.last_observed: int = 0
        self.last_derived: int = 0
        self.derived: dict[DerivedId, None] = {}
        self._derived: tuple[DerivedId, ...] | None = ()
        self.messages: dict[str, Fields] = {}
        self.claims: dict[str, DerivedId] = {}

    def apply(self, change: Change) -> None:
        """Carries out a change that was planned on exactly this state."""
        entry, removed, span, slot, tokens = change
        self.tokens += tokens
        if span is not None:
            self.slots[slot] = span
        if isinstance(entry, Observed):
            self.slot_of[entry.record.id] = self.last_observed = slot
            if entry.message:
                self.messages[entry.record.id] = entry.message
            return
        successor = span.id if isinstance(span, DerivedSpan) else None
        if isinstance(entry, Tombstone):
            successor = self._bury(entry, slot)
        for span_id in removed:
            emptied = self.slot_of.pop(span_id)
            self.gone[span_id] = successor
            if span is None or emptied != slot:
                del self.slots[emptied]
            if self.derived.pop(cast("DerivedId", span_id), self) is None:
                self._derived = None
            self.messages.pop(span_id, None)
        if isinstance(entry, (Rewritten, Rederived)):
            self._hear(entry)
        if span is not None and successor is not None:
            self.slot_of[successor] = slot
            self.last_derived = max(self.last_derived, number_of(successor))
            self.derived[successor] = self._derived = None

    def _hear(self, entry: Rewritten | Rederived) -> None:
        """Listens for a summary from now on: its whole text, and the runs of words that are its own."""
        record = entry.record
        text = str.__str__(record.text)
        whole = text.strip()
        self.wholes[record.digest if len(whole) == len(text) else digest_of(whole)] = record.id
        self.echoes.add(record.id, entry.runs)

    def _bury(self, entry: Tombstone, number: int) -> DerivedId | None:
        """Notes a span whose text was forgotten; gives it as the one that took the place of what had left for it."""
        self.forgotten.add(entry.id)
        self.gone[entry.id] = None
        self.echoes.discard(entry.id)
        if not entry.left:
            self.last_observed = max(self.last_observed, number)
            return None
        self.last_derived = max(self.last_derived, number)
        return DerivedId(entry.id)

    def informing_changed(self) -> None:
        """What an agent's turn has read is asked anew at the next one."""
        self._derived = None

    def informing(self) -> tuple[DerivedId, ...]:
        """The ids of the live derived spans: what an agent's turn written now has read. Kept until one changes."""
        if self._derived is None:
            self._derived = tuple(self.derived)
        return self._derived

    def rewritten_into(self, source: SourceId, /) -> DerivedId | None:
        """The derived span that now stands, or stood last, for an observed span; None if it was never rewritten."""
        into = self.gone.get(source)
        while into is not None and (newer := self.gone.get(into)) is not None:
            into = newer
        return into


def is_well_formed(window: Window) -> bool:
    """Whether a window is one that operations can lead to. For tests and checkers: it reads everything."""
    spans = window.slots
    live = [span for span in spans.values() if isinstance(span, DerivedSpan)]
    sources = [source for span in live for source in span.sources]
    return (
        list(spans) == sorted(spans)
        and window.slot_of == {span.id: slot for slot, span in spans.items()}
        and window.tokens == sum(span.tokens for span in spans.values())
        and not window.gone.keys() & window.slot_of.keys()
        and all(slot == number_of(_first(span)) for slot, span in spans.items())
        and all(window.rewritten_into(source) == span.id for span in live for source in span.sources)
        and len(sources) == len(set(sources))
        and sorted(window.derived) == sorted(span.id for span in live)
        and all(number_of(span.id) <= window.last_derived for span in live)
        and all(slot <= window.last_observed for slot in spans)
        and window.messages.keys() <= window.slot_of.keys()
    )


def _first(span: AnySpan) -> str:
    return span.id if isinstance(span, ObservedSpan) else span.sources[0]
