"""What `verify` finds: every piece of damage, not the first only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ctxcontracts.coldstore.journal import JournalEntry, Pruned, Rederived, Rewritten, Tombstone, record_in
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord, digest_of


class Damage(NamedTuple):
    """One thing that is wrong in a store.

    Attributes:
        where: the id of the span, or the session and the number of the journal entry.
        what: what is wrong with it.
    """

    where: str
    what: str


def damage_of_record(record: ObservedRecord | DerivedRecord) -> list[Damage]:
    """What is wrong with one record by itself: its text does not have its digest."""
    if digest_of(record.text) == record.digest:
        return []
    return [Damage(record.id, "the text does not have the digest under which it is kept")]


def id_in(entry: JournalEntry) -> str | None:
    """The id that an entry gives to a span, kept or forgotten; None where it gives none."""
    record = record_in(entry)
    if record is not None:
        return record.id
    return entry.id if isinstance(entry, Tombstone) else None


def damage_of_journal(
    session: str, entries: Iterable[tuple[int, JournalEntry]], *, observed: Callable[[str], bool]
) -> list[Damage]:
    """What is wrong among the entries of one session: references that do not resolve, ids that are used twice.

    Args:
        session: the name of the session.
        entries: its entries with their numbers, in order; those that cannot be read are left out and reported
            by the store.
        observed: whether the store holds an original of this id, in any session.
    """
    found: list[Damage] = []
    known: set[str] = set()
    for number, entry in entries:
        where = f"{session}, entry {number}"
        named: tuple[str, ...] = ()
        made = id_in(entry)
        if made is not None:
            if made in known:
                found.append(Damage(where, f"the id {made} is used twice"))
            known.add(made)
        if isinstance(entry, Tombstone):
            named = entry.left
        elif isinstance(entry, Pruned):
            named = entry.ids
        elif isinstance(entry, Rederived):
            named = entry.replaced
        found += [
            Damage(where, f"it names {name}, which no earlier entry made") for name in named if name not in known
        ]
        if isinstance(entry, (Rewritten, Rederived)):
            found += [
                Damage(entry.record.id, f"its source {source} is not in the store")
                for source in entry.record.sources
                if not observed(source)
            ]
            if not entry.record.sources:
                found.append(Damage(entry.record.id, "it has no sources"))
    return found
