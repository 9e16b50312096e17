"""The entries of a session's journal: what happened to the window, in order, for ever.

    Observed(record)             # o1 came in
    Rewritten(record)            # the sources of d1 left, d1 took the place of the first
    Rederived(record, ("s:d1",)) # d1 left, d2 took its place
    Pruned(("s:o2", "s:d2"))     # both left

A window is rebuilt by replaying them. An entry keeps in `extra` the fields that a newer version wrote and this one
does not know, so that copying a session from store to store loses nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple, TypeAlias

from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord

Fields: TypeAlias = Mapping[str, object]
"""JSON fields by name."""

NO_FIELDS: Fields = MappingProxyType({})
"""The usual case, shared by all entries that have it."""


class Started(NamedTuple):
    """A buffer began to write to the session, counting tokens with the counter of this name."""

    counter: str
    extra: Fields = NO_FIELDS

    def __repr__(self) -> str:
        return f"<Started, counting with {self.counter}>"


class Observed(NamedTuple):
    """An original came in at the end of the window.

    Attributes:
        record: the original.
        message: what its message carries beside role and content, by field; small identifiers only, no text.
        extra: the fields of newer versions.
    """

    record: ObservedRecord
    message: Fields = NO_FIELDS
    extra: Fields = NO_FIELDS

    def __repr__(self) -> str:
        return f"<Observed {self.record!r}>"


class Pruned(NamedTuple):
    """Spans left the window. Their originals stay in the store."""

    ids: tuple[SourceId | DerivedId, ...]
    extra: Fields = NO_FIELDS

    def __repr__(self) -> str:
        return f"<Pruned {', '.join(self.ids)}>"


class Rewritten(NamedTuple):
    """The sources of a summary left the window, and it took the place of the first of them.

    Attributes:
        record: the summary.
        extra: the fields of newer versions.
        runs: what is heard of it where it comes back (`contracts.echoes`).
    """

    record: DerivedRecord
    extra: Fields = NO_FIELDS
    runs: bytes = b""

    def __repr__(self) -> str:
        return f"<Rewritten {self.record!r}>"


class Rederived(NamedTuple):
    """Summaries left the window, and one made anew from their originals took the place of the first of them."""

    record: DerivedRecord
    replaced: tuple[DerivedId, ...]
    extra: Fields = NO_FIELDS
    runs: bytes = b""

    def __repr__(self) -> str:
        return f"<Rederived {self.record!r} for {', '.join(self.replaced)}>"


class Tombstone(NamedTuple):
    """What is left of an entry whose text was forgotten: the place that it had, and what it did to the window.

    Attributes:
        id: the id of the forgotten span.
        left: for a summary, the ids of the spans that had left the window for it.
        extra: the fields of newer versions.
    """

    id: SourceId | DerivedId
    left: tuple[SourceId | DerivedId, ...]
    extra: Fields = NO_FIELDS

    def __repr__(self) -> str:
        return f"<Tombstone of {self.id}>"


class Trace(NamedTuple):
    """What is kept of one forgotten text.

    Attributes:
        id: the id of the span.
        number: the number of its entry in this journal.
        keyed: HMAC-SHA256 of the text, under a key that only the caller of `forget` has.
        seal: the sha256 of the tombstone as it stands in the journal.
    """

    id: SourceId | DerivedId
    number: int
    keyed: str
    seal: str


class Forgotten(NamedTuple):
    """The texts of earlier entries were forgotten, and why."""

    reason: str
    traces: tuple[Trace, ...]
    extra: Fields = NO_FIELDS

    def __repr__(self) -> str:
        return f"<Forgotten {', '.join(trace.id for trace in self.traces)}>"


class Snapshot(NamedTuple):
    """A copy of what the first entries of a journal tell.

    Attributes:
        number: how many entries.
        state: the copy, in the words of whoever made it.
    """

    number: int
    state: str

    def __repr__(self) -> str:
        return f"<Snapshot of {self.number} entries>"


JournalEntry: TypeAlias = Started | Observed | Pruned | Rewritten | Rederived | Tombstone | Forgotten
"""Any entry. The set is closed: a reader that does not know a kind must not guess what it did to the window."""


def record_in(entry: JournalEntry) -> ObservedRecord | DerivedRecord | None:
    """The record that an entry brings into the store, if it brings one."""
    if isinstance(entry, (Observed, Rewritten, Rederived)):
        return entry.record
    return None
