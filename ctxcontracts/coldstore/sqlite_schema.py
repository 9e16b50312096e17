"""The tables of the SQLite store, their version, and how a file is recognised as ours.

Texts live in `blobs` alone, under their sha256; a journal entry is JSON that names the digest (`codec.py`), with
its place in the hash chain (`chain.py`). `records` finds the entry that brought a span; `derived_calls` is the
registry of `@derives`; `snapshots` holds windows, so that a long session is opened without replaying it. `at` is the
wall clock in milliseconds, for people and for retention by age; no order depends on it. `space` is the namespace.
"""

from __future__ import annotations

import sqlite3
import time
from pathlib import Path

from ctxcontracts.coldstore.forms import PLAIN, Forms
from ctxcontracts.coldstore.sqlite_connection import opened
from ctxcontracts.coldstore.sqlite_fault import BUSY_SECONDS, foreign
from ctxcontracts.coldstore.sqlite_migration import MIGRATIONS
from ctxcontracts.coldstore.sqlite_place import network_of
from ctxcontracts.errors import ColdStoreError, StoreVersionError

APPLICATION_ID = int.from_bytes(b"ctxc", "big")
SCHEMA_VERSION = 2

TABLES = (
    """CREATE TABLE sessions (
        key INTEGER PRIMARY KEY, space TEXT NOT NULL, name TEXT NOT NULL, length INTEGER NOT NULL, head BLOB NOT NULL,
        UNIQUE (space, name)
    ) STRICT""",
    """CREATE TABLE blobs (
        space TEXT NOT NULL, digest TEXT NOT NULL, form INTEGER NOT NULL, content BLOB NOT NULL,
        UNIQUE (space, digest)
    ) STRICT""",
    """CREATE TABLE journal (
        session INTEGER NOT NULL REFERENCES sessions, number INTEGER NOT NULL, at INTEGER NOT NULL,
        salt BLOB, seal BLOB NOT NULL, link BLOB NOT NULL, entry TEXT NOT NULL, PRIMARY KEY (session, number)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE records (
        space TEXT NOT NULL, id TEXT NOT NULL, session INTEGER NOT NULL, number INTEGER NOT NULL,
        PRIMARY KEY (space, id)
    ) STRICT, WITHOUT ROWID""",
    """CREATE TABLE derived_calls (
        space TEXT NOT NULL, id TEXT NOT NULL, digest TEXT NOT NULL, length INTEGER NOT NULL, function TEXT NOT NULL,
        made TEXT NOT NULL, seal BLOB NOT NULL, UNIQUE (space, id)
    ) STRICT""",
    "CREATE INDEX derived_calls_by_digest ON derived_calls (space, digest)",
    """CREATE TABLE snapshots (
        session INTEGER PRIMARY KEY REFERENCES sessions, number INTEGER NOT NULL, link BLOB NOT NULL,
        digest BLOB NOT NULL, state BLOB NOT NULL
    ) STRICT""",
)


def connected(path: Path, forms: Forms = PLAIN) -> sqlite3.Connection:
    """A connection that writes to a store of ours; an empty or missing file becomes one, an old one is brought up.

    Raises:
        StoreVersionError: when the file is a database of someone else, or of a newer version. It is left as it was.
        ColdStoreError: when the file cannot be used; also whatever SQLite raises.
    """
    network = network_of(path)
    if network is not None:
        raise ColdStoreError(
            f"the store {path} would lie on a network drive ({network}), whose locks the log cannot rely on",
            instead="keep the store on a local disk of the machine that writes it, and copy it elsewhere when closed",
        )
    if path.is_file() and path.stat().st_size == 1:
        raise foreign(path, "it holds one byte")  # which SQLite takes for an empty file
    connection = opened(path, busy_seconds=BUSY_SECONDS)
    connection.forms = forms
    try:
        found = _version_now(connection, path)
        _use_write_ahead_log(connection, path)
        connection.execute("PRAGMA synchronous = FULL")
        connection.execute("PRAGMA secure_delete = ON")
        if found != SCHEMA_VERSION:
            _bring_up(connection, path)
    except BaseException:
        connection.close()
        raise
    return connection


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    (value,) = connection.execute(f"PRAGMA {name}").fetchone()
    return int(value)


def reading(path: Path, forms: Forms = PLAIN) -> sqlite3.Connection:
    """A second connection to a store that is open, which can write nothing."""
    connection = opened(path)
    connection.forms = forms
    connection.execute("PRAGMA query_only = ON")
    return connection


def _version_now(connection: sqlite3.Connection, path: Path) -> int:
    """`_version` at one moment: another process may be making the store between two of its questions."""
    connection.execute("BEGIN")
    try:
        return _version(connection, path)
    finally:
        connection.execute("ROLLBACK")


def _version(connection: sqlite3.Connection, path: Path) -> int:
    """The schema version of a file, 0 when nothing was ever written to it; refuses what is not ours."""
    application, version = _pragma(connection, "application_id"), _pragma(connection, "user_version")
    if application == APPLICATION_ID:
        if version > SCHEMA_VERSION:
            raise StoreVersionError(
                f"the store {path} has schema version {version}, and this version of ctxcontracts knows "
                f"{SCHEMA_VERSION} at most",
                instead="update ctxcontracts; the file was not changed",
            )
        if version < 1:
            raise foreign(path, f"its schema version is {version}, which no version of ctxcontracts wrote")
        return version
    (tables,) = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
    if application or version or tables:
        raise foreign(path, "it is a database of another program")
    return 0


def _bring_up(connection: sqlite3.Connection, path: Path) -> None:
    """Makes the tables, or brings those of an older version up, unless another process was faster."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        found = _version(connection, path)
        if found == 0:
            for table in TABLES:
                connection.execute(table)
            connection.execute(f"PRAGMA application_id = {APPLICATION_ID}")
        for version in range(found, SCHEMA_VERSION) if found else ():
            MIGRATIONS[version](connection, TABLES)
        connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
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
