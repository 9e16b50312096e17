"""What is wrong in a SQLite store: its pages, its blobs, its entries, its references."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator

from ctxcontracts.coldstore.codec import decoded
from ctxcontracts.coldstore.content import digest_of_bytes
from ctxcontracts.coldstore.damage import Damage, damage_of_journal
from ctxcontracts.coldstore.intake import missing
from ctxcontracts.coldstore.journal import JournalEntry, Observed, record_in
from ctxcontracts.errors import CtxContractsError


def damage_in(connection: sqlite3.Connection) -> Iterator[Damage]:
    """Every piece of damage. What cannot be read at all ends its own part of the search, not the others."""
    for search in (_damaged_pages, _damaged_blobs, _damaged_journals, _dangling_records):
        try:
            yield from search(connection)
        except sqlite3.DatabaseError as error:
            yield Damage("the file", f"SQLite cannot read on: {error}")


def _damaged_pages(connection: sqlite3.Connection) -> Iterator[Damage]:
    for (said,) in connection.execute("PRAGMA quick_check"):
        if said != "ok":
            yield Damage("the file", f"SQLite says: {said}")


def _damaged_blobs(connection: sqlite3.Connection) -> Iterator[Damage]:
    for digest, content in connection.execute("SELECT digest, content FROM blobs"):
        if digest_of_bytes(content) != digest:
            yield Damage(f"sha256 {digest}", "the text does not have the digest under which it is kept")


def _damaged_journals(connection: sqlite3.Connection) -> Iterator[Damage]:
    for key, session in connection.execute("SELECT key, name FROM sessions ORDER BY key").fetchall():
        entries: list[tuple[int, JournalEntry]] = []
        rows = connection.execute("SELECT number, entry FROM journal WHERE session = ? ORDER BY number", (key,))
        for expected, (number, line) in enumerate(rows.fetchall()):
            where = f"{session}, entry {number}"
            if number != expected:
                yield Damage(where, f"it should be entry {expected}: entries are missing or out of order")
            try:
                entry = decoded(line, lambda digest: _held(connection, digest))
            except CtxContractsError as error:
                yield Damage(where, error.happened)
                continue
            entries.append((number, entry))
            record = record_in(entry)
            if record is not None and not _points_here(connection, record.id, (key, number)):
                yield Damage(record.id, f"the index of ids does not lead to {where}")
        yield from damage_of_journal(session, entries, observed=lambda source: _is_original(connection, source))


def _dangling_records(connection: sqlite3.Connection) -> Iterator[Damage]:
    rows = connection.execute(
        "SELECT id FROM records LEFT JOIN journal USING (session, number) WHERE entry IS NULL ORDER BY id"
    )
    for (span_id,) in rows:
        yield Damage(span_id, "the index of ids leads to a journal entry that is not there")


def _held(connection: sqlite3.Connection, digest: str) -> str:
    """Nothing, for a blob that is there: its bytes were checked already."""
    if connection.execute("SELECT 1 FROM blobs WHERE digest = ?", (digest,)).fetchone() is None:
        raise missing(f"sha256 {digest}", "text")
    return ""


def _points_here(connection: sqlite3.Connection, span_id: str, place: tuple[int, int]) -> bool:
    row: object = connection.execute("SELECT session, number FROM records WHERE id = ?", (span_id,)).fetchone()
    return row == place


def _is_original(connection: sqlite3.Connection, span_id: str) -> bool:
    row = connection.execute(
        "SELECT entry FROM records JOIN journal USING (session, number) WHERE id = ?", (span_id,)
    ).fetchone()
    return row is not None and isinstance(decoded(row[0], lambda _: ""), Observed)
