"""The rows of a SQLite store: how an append is written and how entries and texts are read back.

Every function runs inside a transaction of its caller, or needs none.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from typing import NamedTuple

from ctxcontracts.coldstore.chain import first_link, fresh_salt, link_of, seal_of
from ctxcontracts.coldstore.codec import decoded
from ctxcontracts.coldstore.content import bytes_of, digest_of_bytes, text_of
from ctxcontracts.coldstore.damage import id_in
from ctxcontracts.coldstore.forms import Kept
from ctxcontracts.coldstore.intake import damaged_entry, forgotten, id_in_use, missing, stale, wrong_digest
from ctxcontracts.coldstore.journal import JournalEntry, Tombstone, record_in
from ctxcontracts.coldstore.sqlite_connection import forms_of
from ctxcontracts.errors import DamagedOriginalError, OriginalMissingError
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord

_JOURNAL_ROW = "SELECT number, at, salt, seal, link, entry FROM journal"


def may_be_id(given: object) -> bool:
    """Whether SQLite can be asked for something; a text that was passed for an id may be anything."""
    return isinstance(given, str) and given.isprintable()


class SessionRow(NamedTuple):
    """What the table of sessions knows of one.

    Attributes:
        key: its key, or None for a session that has no entry yet.
        length: the number of its entries.
        head: the link of the last of them.
    """

    key: int | None
    length: int
    head: bytes


def session_row(connection: sqlite3.Connection, space: str, name: str) -> SessionRow:
    """The row of a session, or what it would be before the first entry."""
    row = connection.execute(
        "SELECT key, length, head FROM sessions WHERE space = ? AND name = ?", (space, name)
    ).fetchone()
    return SessionRow(None, 0, first_link(space, name)) if row is None else SessionRow(*row)


def append_rows(
    connection: sqlite3.Connection,
    space: str,
    session: str,
    lines: Sequence[tuple[JournalEntry, str]],
    *,
    expected: int,
) -> int:
    """Writes entries with their texts, and gives the new length of the journal.

    Raises:
        StaleSession: when the journal does not have the expected length.
        ColdStoreError: when an id is in use.
        DamagedOriginalError: when the store holds something else under a digest.
    """
    key, length, head = session_row(connection, space, session)
    if length != expected:
        raise stale(session, expected=expected, found=length)
    if not lines:
        return length
    if key is None:
        key = connection.execute(
            "INSERT INTO sessions (space, name, length, head) VALUES (?, ?, 0, ?)", (space, session, head)
        ).lastrowid
    now = time.time_ns() // 1_000_000
    rows: list[tuple[object, ...]] = []
    for number, (entry, line) in enumerate(lines, start=length):
        record, made = record_in(entry), id_in(entry)
        if record is not None:
            _put_text(connection, space, record)
        if made is not None:
            _put_id(connection, space, made, (key, number))
        salt = fresh_salt()
        seal = seal_of(salt, line)
        head = link_of(head, number, now, seal)
        # The tombstone of a session that is copied has no salt here either.
        rows.append((key, number, now, None if isinstance(entry, Tombstone) else salt, seal, head, line))
    connection.executemany("INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?)", rows)
    length += len(lines)
    connection.execute("UPDATE sessions SET length = ?, head = ? WHERE key = ?", (length, head, key))
    return length


def _put_text(connection: sqlite3.Connection, space: str, record: ObservedRecord | DerivedRecord) -> None:
    content = bytes_of(record.text)
    row = (space, record.digest, *forms_of(connection).kept(content))
    put = connection.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?, ?, ?)", row)
    if put.rowcount == 0 and _content(connection, space, record.digest) != content:
        raise wrong_digest(record.id, "was to be kept, but the store holds something else")


def _put_id(connection: sqlite3.Connection, space: str, span_id: str, place: tuple[int | None, int]) -> None:
    try:
        connection.execute("INSERT INTO records VALUES (?, ?, ?, ?)", (space, span_id, *place))
    except sqlite3.IntegrityError:
        raise id_in_use(span_id) from None


def is_as_written(salt: bytes | None, seal: bytes, line: str) -> bool:
    """Whether an entry has its seal; a tombstone has none of its own, the log of forgetting tells of it."""
    if salt is None:
        return isinstance(decoded(line, lambda _: ""), Tombstone)
    return seal_of(salt, line) == seal


def read_page(connection: sqlite3.Connection, space: str, session: str, first: int, most: int) -> list[JournalEntry]:
    """The next entries of a journal, each with its place in the chain checked and its text hashed again.

    Args:
        connection: the connection.
        space: the namespace.
        session: the name of the session.
        first: the number of the first entry that is wanted.
        most: how many are wanted.

    Raises:
        ColdStoreError: when an entry is missing or is not what was written; also what reading a text raises.
    """
    key, length, head = session_row(connection, space, session)
    if first >= length:
        return []
    before = max(first - 1, 0)
    rows = connection.execute(
        f"{_JOURNAL_ROW} WHERE session = ? AND number >= ? ORDER BY number LIMIT ?", (key, before, most + 1)
    ).fetchall()
    wanted = range(before, min(first + most, length))
    link = first_link(space, session)
    for expected in wanted:
        if expected - before >= len(rows):
            raise damaged_entry(session, expected, "is missing")
        number, at, salt, seal, kept, line = rows[expected - before]
        if number != expected:
            raise damaged_entry(session, expected, "is missing")
        if expected >= first or not before:
            link = link_of(link, number, at, seal)
            if link != kept or not is_as_written(salt, seal, line):
                raise damaged_entry(session, number, "is not what was written")
        link = kept
    if wanted.stop == length and link != head:
        raise damaged_entry(session, length - 1, "is not the last one that was written")
    return [
        decoded(row[5], lambda digest: text_at(connection, space, digest))
        for row in rows[first - before : wanted.stop - before]
    ]


def record_at(connection: sqlite3.Connection, space: str, span_id: str) -> ObservedRecord | DerivedRecord | None:
    """The record under an id, or None, with its entry and its text checked.

    Raises:
        DamagedOriginalError: when the entry or the text is not what was written.
        OriginalMissingError: when the text is not there.
        ForgottenError: when it was forgotten.
    """
    row = connection.execute(
        "SELECT salt, seal, entry FROM records JOIN journal USING (session, number) WHERE space = ? AND id = ?",
        (space, span_id),
    ).fetchone()
    if row is None:
        return None
    salt, seal, line = row
    try:
        entry = decoded(line, lambda digest: text_at(connection, space, digest))
    except (DamagedOriginalError, OriginalMissingError) as error:
        raise type(error)(f"{span_id}: {error.happened}", promise=error.promise, instead=error.instead) from None
    if isinstance(entry, Tombstone) and entry.id == span_id:
        raise forgotten(span_id)
    record = record_in(entry)
    if record is None or record.id != span_id or salt is None or seal_of(salt, line) != seal:
        raise wrong_digest(span_id, "is kept in an entry that is not what was written: it stands")
    return record


def text_at(connection: sqlite3.Connection, space: str, digest: str) -> str:
    """The text of a digest, which is recomputed.

    Raises:
        OriginalMissingError: when there is none.
        DamagedOriginalError: when it has another digest.
    """
    content = _content(connection, space, digest)
    if content is None:
        raise missing(f"sha256 {digest}", "text")
    if digest_of_bytes(content) != digest:
        raise wrong_digest(f"sha256 {digest}", "is kept")
    return text_of(content)


def _content(connection: sqlite3.Connection, space: str, digest: str) -> bytes | None:
    row = connection.execute(
        "SELECT form, content FROM blobs WHERE space = ? AND digest = ?", (space, digest)
    ).fetchone()
    return None if row is None else forms_of(connection).read(Kept(*row))
