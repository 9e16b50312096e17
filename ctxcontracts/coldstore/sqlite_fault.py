"""What an error of SQLite means for the user, and what to do about it."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path

from ctxcontracts.errors import ColdStoreError, StoreVersionError

BUSY_SECONDS = 5
"""How long a call waits for another process that writes."""

_ADVICE: dict[int, tuple[str, str]] = {
    sqlite3.SQLITE_BUSY: (
        f"it stayed locked by another process for {BUSY_SECONDS} seconds",
        "try again; keep transactions of other programs on this file short",
    ),
    sqlite3.SQLITE_LOCKED: (
        "a table of it is locked by another connection",
        "try again; keep transactions of other programs on this file short",
    ),
    sqlite3.SQLITE_FULL: ("the disk is full", "free some space and repeat the call"),
    sqlite3.SQLITE_READONLY: (
        "it, or its folder, is read-only",
        "give this user the right to write to the file and to its folder",
    ),
    sqlite3.SQLITE_PERM: ("this user may not open it", "give this user the right to write to it and to its folder"),
    sqlite3.SQLITE_IOERR: (
        "the disk reported an error",
        "check the disk and its free space; keep the store on a local disk, not on a network drive",
    ),
    sqlite3.SQLITE_CORRUPT: (
        "its content is damaged",
        "run verify() to see all that is damaged, and restore the file from a copy",
    ),
}


@contextmanager
def explained(path: Path, doing: str) -> Generator[None]:
    """Turns the errors of SQLite into ours.

    Args:
        path: the file of the store.
        doing: what was tried, as it reads after "could not".

    Raises:
        StoreVersionError: when the file is no SQLite database.
        ColdStoreError: for every other error of SQLite, and for names that it cannot take.
    """
    try:
        yield
    except sqlite3.Error as error:
        raise fault(error, path, doing) from error
    except (ValueError, OverflowError) as error:
        # Not chained: a UnicodeEncodeError holds the whole text.
        raise ColdStoreError(
            f"could not {doing} the store {path}: a name or number in it is none for SQLite ({type(error).__name__})",
            instead="use names of printable characters",
        ) from None


@contextmanager
def as_written(path: Path) -> Generator[None]:
    """The time in which rows are read: one that has not the shape in which it was written is damage.

    Raises:
        ColdStoreError: for what such a row does to the code that reads it.
    """
    try:
        yield
    except (TypeError, AttributeError, LookupError) as error:
        raise ColdStoreError(
            f"the store {path} holds a row that is not what was written ({type(error).__name__})",
            instead="run verify() to see all that is damaged, and restore the file from a copy",
        ) from error


def fault(error: sqlite3.Error, path: Path, doing: str) -> ColdStoreError:
    """Our error for one of SQLite's."""
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code == sqlite3.SQLITE_NOTADB:
        return foreign(path, "it is no SQLite database")
    if code == sqlite3.SQLITE_CANTOPEN:
        reason, instead = _cannot_open(path)
    else:
        reason, instead = _ADVICE.get(code, (f"SQLite says: {error}", "run verify() on the store"))
    return ColdStoreError(f"could not {doing} the store {path}: {reason}", instead=instead)


def _cannot_open(path: Path) -> tuple[str, str]:
    if path.is_dir():
        return "it is a folder", "name a file inside it"
    if not path.parent.is_dir():
        return f"the folder {path.parent} does not exist", "create the folder first, or correct the path"
    return "it cannot be opened", "give this user the right to read and write the file and its folder"


def foreign(path: Path, why: str) -> StoreVersionError:
    """The refusal of a file that is no store of ours."""
    return StoreVersionError(
        f"{path} is not a cold store of ctxcontracts: {why}",
        instead="name another file; this one was not changed",
    )
