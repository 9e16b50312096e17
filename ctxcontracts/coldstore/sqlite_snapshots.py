"""Snapshots in a SQLite store: each is bound to the entry that it ends with, and to its own bytes."""

from __future__ import annotations

import hashlib
import sqlite3
import zlib
from contextlib import suppress

from ctxcontracts.coldstore.content import bytes_of, text_of
from ctxcontracts.coldstore.intake import stale
from ctxcontracts.coldstore.journal import Snapshot
from ctxcontracts.coldstore.sqlite_rows import session_row

_FAST = 1
"""The level of compression: ids repeat, and reading fewer pages saves more than it costs."""


def put_snapshot(connection: sqlite3.Connection, space: str, session: str, state: str, *, expected: int) -> None:
    """Keeps a snapshot of a journal of this length.

    Raises:
        StaleSession: when it has another.
    """
    key, length, head = session_row(connection, space, session)
    if length != expected:
        raise stale(session, expected=expected, found=length)
    content = zlib.compress(bytes_of(state), _FAST)
    digest = hashlib.sha256(content).digest()
    if key is not None:
        connection.execute(
            "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?, ?)", (key, length, head, digest, content)
        )


def snapshot_of(connection: sqlite3.Connection, space: str, session: str) -> Snapshot | None:
    """The snapshot of a session, if it is what was kept and the journal still holds the entry that it ends with."""
    row = connection.execute(
        "SELECT snapshots.number, snapshots.link, journal.link, digest, state FROM sessions "
        "JOIN snapshots ON snapshots.session = key "
        "LEFT JOIN journal ON journal.session = key AND journal.number = snapshots.number - 1 "
        "WHERE space = ? AND name = ?",
        (space, session),
    ).fetchone()
    if row is None:
        return None
    number, link, kept, digest, content = row
    if link != kept or hashlib.sha256(content).digest() != digest:
        return None
    with suppress(zlib.error, ValueError):
        return Snapshot(number, text_of(zlib.decompress(content)))
    return None
