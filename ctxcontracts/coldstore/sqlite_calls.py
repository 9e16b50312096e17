"""The calls of `@derives` in a SQLite store: digests and names, never a text. Each row carries a hash of itself."""

from __future__ import annotations

import hashlib
import sqlite3

from ctxcontracts.contracts.registry import DerivedCall

COLUMNS = "id, digest, length, function, made"


def sealed_call(space: str, call: DerivedCall) -> bytes:
    """The hash that a row carries, so that a changed one is found."""
    fields = (space, call.id, call.digest, str(call.length), call.function, call.when)
    return hashlib.sha256("\0".join(fields).encode("utf-8", "surrogatepass")).digest()


def put_call(connection: sqlite3.Connection, space: str, call: DerivedCall) -> None:
    """Keeps a call; one that is kept already stays as it is."""
    row = (space, call.id, call.digest, call.length, call.function, call.when, sealed_call(space, call))
    connection.execute("INSERT OR IGNORE INTO derived_calls VALUES (?, ?, ?, ?, ?, ?, ?)", row)


def call_where(connection: sqlite3.Connection, space: str, column: str, value: object) -> DerivedCall | None:
    """The first call whose column (`id` or `digest`) has a value."""
    if not (isinstance(value, str) and value.isprintable()):  # an id that a text made up may be anything
        return None
    row = connection.execute(
        f"SELECT {COLUMNS} FROM derived_calls WHERE space = ? AND {column} = ? ORDER BY rowid LIMIT 1",  # noqa: S608 - a constant
        (space, value),
    ).fetchone()
    return None if row is None else DerivedCall(*row)
