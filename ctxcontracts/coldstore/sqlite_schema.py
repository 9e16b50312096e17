"""The tables of the SQLite store, their version, and how a file is recognised as ours.

Texts live in `blobs` alone, under their sha256; a journal entry is JSON that names the digest (`codec.py`). `records`
finds the entry that brought a span; `derived_calls` is the registry of `@derives`. `at` is the wall clock in
milliseconds, for people and for retention by age; no order depends on it.
"""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from ctxcontracts.coldstore.sqlite_fault import BUSY_SECONDS, foreign
from ctxcontracts.errors import ColdStoreError, StoreVersionError

APPLICATION_ID = int.from_bytes(b"ctxc", "big")
SCHEMA_VERSION = 1

_TABLES = (
    "CREATE TABLE sessions (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT",
    "CREATE TABLE blobs (digest TEXT NOT NULL UNIQUE, content BLOB NOT NULL) STRICT",
    """CREATE TABLE journal (
        session INTEGER NOT NULL REFERENCES sessions, number INTEGER NOT NULL, at INTEGER NOT NULL,
        entry TEXT NOT NULL, PRIMARY KEY (session, number)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE records (
        id TEXT PRIMARY KEY, session INTEGER NOT NULL, number INTEGER NOT NULL
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE derived_calls (
        id TEXT NOT NULL UNIQUE, digest TEXT NOT NULL, length INTEGER NOT NULL, function TEXT NOT NULL,
        made TEXT NOT NULL
    ) STRICT""",
    "CREATE INDEX derived_calls_by_digest ON derived_calls (digest)",
)


def connected(path: Path) -> sqlite3.Connection:
    """A connection to a store of ours; an empty or missing file becomes one.

    Raises:
        StoreVersionError: when the file is a database of someone else, or of a newer version. It is left as it was.
        ColdStoreError: when the file cannot be used; also whatever SQLite raises.
    """
    connection = sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)
    try:
        empty = _is_empty_now(connection, path)
        _use_write_ahead_log(connection, path)
        if empty:
            _create(connection, path)
        connection.execute("PRAGMA synchronous = FULL")
    except BaseException:
        connection.close()
        raise
    return connection


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    (value,) = connection.execute(f"PRAGMA {name}").fetchone()
    return int(value)


def _is_empty_now(connection: sqlite3.Connection, path: Path) -> bool:
    """`_is_empty` at one moment: another process may be making the store between two of its questions."""
    connection.execute("BEGIN")
    try:
        return _is_empty(connection, path)
    finally:
        connection.execute("ROLLBACK")


def _is_empty(connection: sqlite3.Connection, path: Path) -> bool:
    """Whether nothing was ever written to the file; refuses what is not ours."""
    application, version = _pragma(connection, "application_id"), _pragma(connection, "user_version")
    if application == APPLICATION_ID:
        if version > SCHEMA_VERSION:
            raise StoreVersionError(
                f"the store {path} has schema version {version}, and this version of ctxcontracts knows "
                f"{SCHEMA_VERSION} at most",
                instead="update ctxcontracts; the file was not changed",
            )
        return False
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application or version or tables:
        raise foreign(path, "it is a database of another program")
    return True


def _create(connection: sqlite3.Connection, path: Path) -> None:
    """Makes the tables, unless another process was faster."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        if _is_empty(connection, path):
            for table in _TABLES:
                connection.execute(table)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        connection.execute("ROLLBACK")
        raise


def _use_write_ahead_log(connection: sqlite3.Connection, path: Path) -> None:
    mode = _switched_to_log(connection)
    if mode != "wal":
        raise ColdStoreError(
            f"the store {path} cannot use a write-ahead log (it uses {mode!r})",
            instead="keep the store in a file on a local disk; for a store in memory use MemoryStore()",
        )


def _switched_to_log(connection: sqlite3.Connection) -> str:
    """The journal mode after asking for WAL. SQLite does not wait for other connections here, so this does."""
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode = WAL").fetchone()
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return str(mode)
