"""A connection of a store, with the forms in which the store keeps its texts."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ctxcontracts.coldstore.forms import PLAIN, Forms
from ctxcontracts.coldstore.sqlite_fault import BUSY_SECONDS


class StoreConnection(sqlite3.Connection):
    """What all functions on rows are given; they ask `forms_of` how texts are kept."""

    forms: Forms = PLAIN


def forms_of(connection: sqlite3.Connection) -> Forms:
    """The forms of the store that a connection belongs to."""
    forms: Forms = getattr(connection, "forms", PLAIN)
    return forms


def opened(path: Path, *, busy_seconds: float = BUSY_SECONDS) -> StoreConnection:
    """A connection that threads may share, and that begins its transactions when it is told to."""
    return sqlite3.connect(
        path, timeout=busy_seconds, isolation_level=None, check_same_thread=False, factory=StoreConnection
    )
