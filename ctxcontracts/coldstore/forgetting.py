"""What is left when an original is forgotten, and what is told about it.

    Observed(o1)  Rewritten(d1, sources o1, o2)          forget o1: its text, and d1, which was made from it
    Tombstone(o1) Tombstone(d1, left o1, o2) Forgotten(reason, traces of o1 and d1)

A tombstone keeps the place of its entry, so that the journal is replayed as it was numbered; it says nothing about
the text. A trace keeps a hash of the text under a key that the store does not have: whoever holds the key can show
that a text was forgotten, and nobody else can find out by guessing.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterable
from dataclasses import dataclass

from ctxcontracts.coldstore.content import bytes_of
from ctxcontracts.coldstore.intake import bad_argument
from ctxcontracts.coldstore.journal import (
    JournalEntry,
    Observed,
    Rederived,
    Rewritten,
    Tombstone,
)
from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord

_LEAST_KEY_BYTES = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Forgetting:
    """What a call of `forget` did.

    Attributes:
        originals: the originals whose texts are gone now; those that were forgotten before are not among them.
        derived: the summaries that were made from them, and are gone too.
        same_text: other spans that hold the same text as one of these. Their text is still there.
        scrubbed: whether nothing of the texts is left in the log and in free pages. Another process that reads just
            now can keep the log from being emptied; a second call with the same ids tries again.
        key: the key of the traces. It is kept nowhere else.
    """

    originals: tuple[SourceId, ...]
    derived: tuple[DerivedId, ...]
    same_text: tuple[SourceId | DerivedId, ...]
    scrubbed: bool
    key: bytes

    def __repr__(self) -> str:
        return f"<Forgetting of {len(self.originals)} originals and {len(self.derived)} summaries>"


def checked_request(
    sources: SourceId | Iterable[SourceId], reason: object, key: object
) -> tuple[tuple[SourceId, ...], bytes]:
    """The ids and the key of a call of `forget`.

    Raises:
        ColdStoreError: when the reason is no text, or the key is none.
    """
    call = "forget(sources, reason=..., key=...)"
    if not isinstance(reason, str) or not reason.strip():
        raise bad_argument(call, reason, instead="say in the reason why the texts have to go; it is kept for ever")
    if key is None:
        key = secrets.token_bytes(32)
    if not isinstance(key, bytes) or len(key) < _LEAST_KEY_BYTES:
        raise bad_argument(call, key, instead=f"pass at least {_LEAST_KEY_BYTES} random bytes, or no key")
    ids = (sources,) if isinstance(sources, str) else tuple(dict.fromkeys(sources))
    return ids, key


def keyed(key: bytes, text: str) -> str:
    """The hash by which whoever has the key knows a forgotten text again."""
    return hmac.new(key, bytes_of(text), hashlib.sha256).hexdigest()


def buried(entry: Observed | Rewritten | Rederived) -> Tombstone:
    """What takes the place of an entry."""
    match entry:
        case Observed(record):
            return Tombstone(record.id, ())
        case Rewritten(record):
            return Tombstone(record.id, record.sources)
        case _:
            return Tombstone(entry.record.id, entry.replaced)


def made_from(entry: JournalEntry, sources: set[SourceId]) -> bool:
    """Whether an entry brings a summary of one of these originals."""
    return isinstance(entry, (Rewritten, Rederived)) and not sources.isdisjoint(entry.record.sources)


def parted(
    records: Iterable[ObservedRecord | DerivedRecord],
) -> tuple[tuple[SourceId, ...], tuple[DerivedId, ...]]:
    """The ids of the originals and of the summaries among records."""
    records = tuple(records)
    return (
        tuple(record.id for record in records if isinstance(record, ObservedRecord)),
        tuple(record.id for record in records if isinstance(record, DerivedRecord)),
    )
