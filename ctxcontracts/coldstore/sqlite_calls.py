"""The calls of `@derives` in a SQLite store: digests and names, never a text."""

from __future__ import annotations

import sqlite3

from ctxcontracts.contracts.registry import DerivedCall

_COLUMNS = "id, digest, length, function, made"


def put_call(connection: sqlite3.Connection, call: DerivedCall) -> None:
    """Keeps a call; one that is kept already stays as it is."""
    row = (call.id, call.digest, call.length, call.function, call.when)
    # One statement is one transaction.
    connection.execute("INSERT OR IGNORE INTO derived_calls VALUES (?, ?, ?, ?, ?)", row)


def call_where(connection: sqlite3.Connection, column: str, value: str) -> DerivedCall | None:
    """The first call whose column (`id` or `digest`) has a value."""
    if not value.isprintable():  # an id that a text made up; SQLite refuses lone surrogates
        return None
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM derived_calls WHERE {column} = ? ORDER BY rowid LIMIT 1",  # noqa: S608 - a constant
        (value,),
    ).fetchone()
    return None if row is None else DerivedCall(*row)
