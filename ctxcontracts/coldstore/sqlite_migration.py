"""How a file of an older version of the library becomes one of this version: in one transaction, or not at all."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence

from ctxcontracts.coldstore.chain import first_link, fresh_salt, link_of, seal_of
from ctxcontracts.coldstore.sqlite_calls import sealed_call
from ctxcontracts.contracts.registry import DerivedCall

_OLD = ("sessions", "blobs", "journal", "records", "derived_calls")


def _from_first(connection: sqlite3.Connection, tables: Sequence[str]) -> None:
    """Version 1 had no namespaces, no chain and no snapshots."""
    connection.execute("DROP INDEX derived_calls_by_digest")
    for name in _OLD:
        connection.execute(f"ALTER TABLE {name} RENAME TO old_{name}")
    for table in tables:
        connection.execute(table)
    connection.execute("INSERT INTO blobs SELECT '', digest, 0, content FROM old_blobs ORDER BY rowid")
    connection.execute("INSERT INTO records SELECT '', id, session, number FROM old_records")
    for key, name in connection.execute("SELECT key, name FROM old_sessions").fetchall():
        _chain(connection, key, name)
    for row in connection.execute("SELECT id, digest, length, function, made FROM old_derived_calls ORDER BY rowid"):
        connection.execute(
            "INSERT INTO derived_calls VALUES ('', ?, ?, ?, ?, ?, ?)", (*row, sealed_call("", DerivedCall(*row)))
        )
    for name in reversed(_OLD):
        connection.execute(f"DROP TABLE old_{name}")


def _chain(connection: sqlite3.Connection, key: int, name: str) -> None:
    """Copies the entries of one session, linked."""
    link = first_link("", name)
    connection.execute("INSERT INTO sessions VALUES (?, '', ?, 0, ?)", (key, name, link))
    length = 0
    rows = connection.execute("SELECT number, at, entry FROM old_journal WHERE session = ? ORDER BY number", (key,))
    for number, at, entry in rows:
        salt = fresh_salt()
        seal = seal_of(salt, entry)
        link = link_of(link, number, at, seal)
        connection.execute(
            "INSERT INTO journal VALUES (?, ?, ?, ?, ?, ?, ?)", (key, number, at, salt, seal, link, entry)
        )
        length = number + 1
    connection.execute("UPDATE sessions SET length = ?, head = ? WHERE key = ?", (length, link, key))


MIGRATIONS: Mapping[int, Callable[[sqlite3.Connection, Sequence[str]], None]] = {1: _from_first}
"""By the version that each starts from. It is given the tables of the version after."""
