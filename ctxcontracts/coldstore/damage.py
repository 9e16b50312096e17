"""What `verify` finds: every piece of damage, not the first only."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from ctxcontracts.coldstore.journal import (
    JournalEntry,
    Observed,
    Pruned,
    Rederived,
    Rewritten,
    Tombstone,
)
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


class Mention(NamedTuple):
    """What one journal entry says of spans, as far as references go.

    Attributes:
        made: the id that it gives to a span, kept or forgotten; None where it gives none.
        named: the ids of earlier spans that it names.
        sources: the sources of the summary that it brings; None where it brings none.
        original: whether it brings an original.
    """

    made: str | None
    named: tuple[str, ...] = ()
    sources: tuple[str, ...] | None = None
    original: bool = False


def mention_of(entry: JournalEntry) -> Mention:
    """What an entry says of spans."""
    match entry:
        case Observed(record):
            return Mention(record.id, original=True)
        case Rewritten(record):
            return Mention(record.id, sources=record.sources)
        case Rederived(record, replaced):
            return Mention(record.id, replaced, record.sources)
        case Tombstone(made, left):
            return Mention(made, left)
        case Pruned(ids):
            return Mention(None, ids)
        case _:
            return Mention(None)


def id_in(entry: JournalEntry) -> str | None:
    """The id that an entry gives to a span, kept or forgotten; None where it gives none."""
    return mention_of(entry).made


def damage_of_journal(
    session: str, mentions: Iterable[tuple[int, Mention]], *, observed: Callable[[str], bool]
) -> list[Damage]:
    """What is wrong among the entries of one session: references that do not resolve, ids that are used twice.

    Args:
        session: the name of the session.
        mentions: what its entries say, with their numbers, in order; those that cannot be read are left out and
            reported by the store.
        observed: whether the store holds an original of this id, in another session.
    """
    found: list[Damage] = []
    known: set[str] = set()
    originals: set[str] = set()
    for number, (made, named, sources, original) in mentions:
        where = f"{session}, entry {number}"
        if made is not None:
            if made in known:
                found.append(Damage(where, f"the id {made} is used twice"))
            known.add(made)
            if original:
                originals.add(made)
        found += [
            Damage(where, f"it names {name}, which no earlier entry made") for name in named if name not in known
        ]
        if sources is not None:
            found += [
                Damage(f"{made}", f"its source {source} is not in the store")
                for source in sources
                if source not in originals and not observed(source)
            ]
            if not sources:
                found.append(Damage(f"{made}", "it has no sources"))
    return found
