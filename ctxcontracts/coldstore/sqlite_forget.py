"""`forget` in a SQLite store: the rows that change in its transaction, and the scrubbing of what is left of them."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping
from typing import NamedTuple, cast

from ctxcontracts.coldstore.codec import decoded, encoded
from ctxcontracts.coldstore.damage import id_in
from ctxcontracts.coldstore.forgetting import buried, keyed, made_from
from ctxcontracts.coldstore.intake import missing
from ctxcontracts.coldstore.journal import Forgotten, JournalEntry, Observed, Trace, record_in
from ctxcontracts.coldstore.retention import Holding
from ctxcontracts.coldstore.sqlite_fault import BUSY_SECONDS
from ctxcontracts.coldstore.sqlite_rows import append_rows, may_be_id, record_at, text_at
from ctxcontracts.contracts.registry import digest_of_whole
from ctxcontracts.errors import ForgottenError
from ctxcontracts.spans.provenance import SourceId
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord, digest_of

_LIKE = (
    "SELECT session, number, entry FROM journal JOIN sessions ON session = key "
    "WHERE space = ? AND instr(entry, ?) ORDER BY session, number"
)


class Place(NamedTuple):
    """Where an entry stands, and what it says."""

    session: int
    number: int
    entry: JournalEntry


def forget_rows(
    connection: sqlite3.Connection, space: str, sources: Iterable[SourceId], *, reason: str, key: bytes
) -> tuple[tuple[ObservedRecord | DerivedRecord, ...], tuple[str, ...]]:
    """Buries the entries of originals and of what was made from them, and deletes their texts.

    Returns:
        The records that were forgotten, and the ids of others that hold the same text as one of them.

    Raises:
        OriginalMissingError: when there is no original under an id.
    """
    gone = _to_forget(connection, space, sources)
    traces: dict[int, list[Trace]] = {}
    for place in gone.values():
        record = cast("ObservedRecord", record_in(place.entry))
        line = encoded(buried(cast("Observed", place.entry)))
        connection.execute(
            "UPDATE journal SET entry = ?, salt = NULL WHERE session = ? AND number = ?", (line, *place[:2])
        )
        trace = Trace(record.id, place.number, keyed(key, record.text), digest_of(line))
        traces.setdefault(place.session, []).append(trace)
        connection.execute(
            "DELETE FROM derived_calls WHERE space = ? AND digest = ?", (space, digest_of_whole(record.text))
        )
    for session, found in traces.items():
        _log(connection, space, session, Forgotten(reason, tuple(found)))
    records = tuple(cast("ObservedRecord", record_in(place.entry)) for place in gone.values())
    return records, _texts_deleted(connection, space, {record.digest for record in records})


def _to_forget(connection: sqlite3.Connection, space: str, sources: Iterable[SourceId]) -> Mapping[str, Place]:
    gone: dict[str, Place] = {}
    for source in sources:
        try:
            record = record_at(connection, space, source) if may_be_id(source) else None
        except ForgottenError:
            continue
        if not isinstance(record, ObservedRecord):
            raise missing(source, "original")
        for place in _places(connection, space, source):
            if id_in(place.entry) == source or made_from(place.entry, {source}):
                gone[cast("str", id_in(place.entry))] = place
    return gone


def _places(connection: sqlite3.Connection, space: str, named: str) -> list[Place]:
    """The entries that name something, with their texts."""
    return [
        Place(session, number, decoded(line, lambda digest: text_at(connection, space, digest)))
        for session, number, line in connection.execute(_LIKE, (space, json.dumps(named))).fetchall()
    ]


def _log(connection: sqlite3.Connection, space: str, session: int, entry: Forgotten) -> None:
    name, length = connection.execute("SELECT name, length FROM sessions WHERE key = ?", (session,)).fetchone()
    append_rows(connection, space, name, [(entry, encoded(entry))], expected=length)
    connection.execute("DELETE FROM snapshots WHERE session = ?", (session,))


def _texts_deleted(connection: sqlite3.Connection, space: str, digests: set[str]) -> tuple[str, ...]:
    """Deletes the texts that no other span holds; gives the ids of those that do."""
    same: list[str] = []
    for digest in digests:
        others = [id_in(place.entry) for place in _places(connection, space, digest)]
        same += [span_id for span_id in others if span_id is not None]
        if not others:
            connection.execute("DELETE FROM blobs WHERE space = ? AND digest = ?", (space, digest))
    return tuple(same)


def scrub(connection: sqlite3.Connection) -> bool:
    """Rewrites the file, so that no page holds what was deleted, and empties the log; whether both were done."""
    connection.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000:.0f}")
    try:
        connection.execute("VACUUM")
        busy, _, _ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        return not busy
    finally:
        connection.execute("PRAGMA busy_timeout = 0")


def held(connection: sqlite3.Connection, space: str) -> tuple[Holding, ...]:
    """The originals that are kept, oldest first. Sizes are those in the store, compressed or not."""
    sizes = dict(connection.execute("SELECT digest, length(content) FROM blobs WHERE space = ?", (space,)))
    rows = connection.execute(
        "SELECT at, entry FROM journal JOIN sessions ON session = key WHERE space = ? ORDER BY at, key, number",
        (space,),
    )
    records = ((at, record_in(decoded(line, lambda _: ""))) for at, line in rows.fetchall())
    return tuple(
        Holding(record.id, at, sizes.get(record.digest, 0))
        for at, record in records
        if isinstance(record, ObservedRecord)
    )
