"""The embedded default: a cold store in one SQLite file (and its write-ahead log beside it).

Acknowledged means synced to the disk (`synchronous=FULL`): in an emulated power loss the faster setting lost
acknowledged originals in 50 of 60 cuts, this one in none. A writer takes the write lock at once (BEGIN IMMEDIATE) and
waits for others: deferred transactions fail under load. One connection serves all threads of the process.
"""

from __future__ import annotations

import os
import sqlite3
import threading
import time
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NoReturn, Self, SupportsIndex, final

from ctxcontracts.coldstore.codec import decoded, encoded
from ctxcontracts.coldstore.content import bytes_of, digest_of_bytes, text_of
from ctxcontracts.coldstore.damage import Damage
from ctxcontracts.coldstore.intake import closed, id_in_use, missing, records_in, stale, wrong_digest
from ctxcontracts.coldstore.journal import JournalEntry, record_in
from ctxcontracts.coldstore.reading import Reading
from ctxcontracts.coldstore.sqlite_calls import call_where, put_call
from ctxcontracts.coldstore.sqlite_damage import damage_in
from ctxcontracts.coldstore.sqlite_fault import explained
from ctxcontracts.coldstore.sqlite_schema import connected
from ctxcontracts.contracts.registry import DerivedCall, fresh_id
from ctxcontracts.errors import ColdStoreError, DamagedOriginalError, OriginalMissingError
from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord
from ctxcontracts.spans.seal import refuse_copy
from ctxcontracts.spans.span import DerivedSpan, ObservedSpan, seal_derived_span, seal_observed_span

_ENTRY_OF = "SELECT entry FROM records JOIN journal USING (session, number) WHERE id = ?"
_PAGE = 256
"""How many journal entries are read under one hold of the lock."""


@final
class SQLiteStore:
    """Keeps originals, summaries and journals in a file on a local disk.

    Args:
        path: the file; it is created when it is missing, its folder is not.

    Raises:
        StoreVersionError: when the file is not ours, or of a newer version. It is not changed.
        ColdStoreError: when the file cannot be opened or written.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        if not isinstance(path, (str, os.PathLike)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ColdStoreError(f"SQLiteStore(path) was given a {type(path).__name__}", instead="pass a path")
        self._path = Path(path)
        self._lock = threading.RLock()
        self._process = os.getpid()
        with explained(self._path, "open"):
            self._connection: sqlite3.Connection | None = connected(self._path)

    def append(self, session: str, entries: Sequence[JournalEntry], *, expected: int) -> int:
        """See `ColdStore.append`."""
        records_in(entries)
        lines = [(entry, encoded(entry)) for entry in entries]
        with self._using("append()", "write to") as connection, _transaction(connection):
            key, found = _session(connection, session)
            if found != expected:
                raise stale(session, expected=expected, found=found)
            if key is None and entries:
                key = connection.execute("INSERT INTO sessions (name) VALUES (?)", (session,)).lastrowid
            now = time.time_ns() // 1_000_000
            for number, (entry, line) in enumerate(lines, start=found):
                record = record_in(entry)
                if record is not None:
                    _put_text(connection, record)
                    _put_id(connection, record.id, (key, number))
                connection.execute("INSERT INTO journal VALUES (?, ?, ?, ?)", (key, number, now, line))
        return found + len(entries)

    def journal(self, session: str, *, after: int = 0) -> Iterator[JournalEntry]:
        """See `ColdStore.journal`."""
        page = self._page(session, after)
        return Reading(self._pages(session, after, page))

    def _pages(self, session: str, number: int, page: list[JournalEntry]) -> Iterator[JournalEntry]:
        while page:
            yield from page
            number += len(page)
            page = self._page(session, number)

    def _page(self, session: str, first: int) -> list[JournalEntry]:
        """The next entries from one number on; the lock is free between pages."""
        with self._using("journal()", "read") as connection:
            rows = connection.execute(
                "SELECT number, entry FROM journal JOIN sessions ON session = key "
                "WHERE name = ? AND number >= ? ORDER BY number LIMIT ?",
                (session, first, _PAGE),
            ).fetchall()
            for expected, (number, _) in enumerate(rows, start=first):
                if number != expected:
                    raise ColdStoreError(
                        f"entry {expected} of session {session} is missing in the store {self._path}",
                        instead="run verify() to see all that is damaged, and restore the file from a copy",
                    )
            return [decoded(line, lambda digest: _text(connection, digest)) for _, line in rows]

    def fetch(self, source: SourceId, /) -> ObservedSpan:
        """See `ColdStore.fetch`."""
        return seal_observed_span(self.fetch_record(source))

    def fetch_record(self, source: SourceId, /) -> ObservedRecord:
        """See `ColdStore.fetch_record`."""
        record = self._record("fetch()", source)
        if not isinstance(record, ObservedRecord):
            raise missing(source, "original")
        return record

    def derived(self, derived: DerivedId, /) -> DerivedSpan:
        """See `ColdStore.derived`."""
        record = self._record("derived()", derived)
        if not isinstance(record, DerivedRecord):
            raise missing(derived, "summary")
        return seal_derived_span(record)

    def _record(self, call: str, span_id: str) -> ObservedRecord | DerivedRecord | None:
        with self._using(call, "read") as connection:
            row = connection.execute(_ENTRY_OF, (span_id,)).fetchone() if _may_be_id(span_id) else None
            if row is None:
                return None
            try:
                return record_in(decoded(row[0], lambda digest: _text(connection, digest)))
            except (DamagedOriginalError, OriginalMissingError) as error:
                raise type(error)(
                    f"{span_id}: {error.happened}", promise=error.promise, instead=error.instead
                ) from None

    def sessions(self) -> tuple[str, ...]:
        """See `ColdStore.sessions`."""
        with self._using("sessions()", "read") as connection:
            return tuple(name for (name,) in connection.execute("SELECT name FROM sessions ORDER BY key"))

    def new_id(self) -> str:
        """See `DerivedRegistry.new_id`."""
        return fresh_id()

    def register(self, call: DerivedCall, /) -> None:
        """See `DerivedRegistry.register`: durable when it returns."""
        with self._using("register()", "write to") as connection:
            put_call(connection, call)

    def find(self, digest: str, /) -> DerivedCall | None:
        """See `DerivedRegistry.find`."""
        with self._using("find()", "read") as connection:
            return call_where(connection, "digest", digest)

    def by_id(self, call_id: str, /) -> DerivedCall | None:
        """See `DerivedRegistry.by_id`."""
        with self._using("by_id()", "read") as connection:
            return call_where(connection, "id", call_id)

    def verify(self) -> tuple[Damage, ...]:
        """See `ColdStore.verify`."""
        with self._using("verify()", "read") as connection:
            return tuple(damage_in(connection))

    def close(self) -> None:
        """See `ColdStore.close`."""
        with self._lock, explained(self._path, "close"):
            connection, self._connection = self._connection, None
            if connection is not None:
                connection.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        refuse_copy("SQLiteStore")

    def __repr__(self) -> str:
        return f"<SQLiteStore {self._path}>"

    @contextmanager
    def _using(self, call: str, doing: str) -> Generator[sqlite3.Connection]:
        """The connection, for this thread alone, with SQLite's errors made ours."""
        with self._lock, explained(self._path, doing):
            if self._connection is None:
                raise closed(call)
            if os.getpid() != self._process:
                raise ColdStoreError(
                    f"{call} was called in a process that was forked after the store {self._path} was opened",
                    instead="open the store again in each process; SQLite connections do not survive a fork",
                )
            if self._connection.in_transaction:
                self._connection.execute("ROLLBACK")  # an interrupt got past the end of a transaction
            yield self._connection


def _may_be_id(span_id: object) -> bool:
    return isinstance(span_id, str) and span_id.isprintable()


@contextmanager
def _transaction(connection: sqlite3.Connection) -> Generator[None]:
    """All or nothing, on the disk when it ends without an error."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        yield
        connection.execute("COMMIT")
    except BaseException:
        # A failed COMMIT may have ended the transaction already.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _session(connection: sqlite3.Connection, name: str) -> tuple[int | None, int]:
    """The key of a session and the length of its journal."""
    row = connection.execute("SELECT key FROM sessions WHERE name = ?", (name,)).fetchone()
    if row is None:
        return None, 0
    (last,) = connection.execute("SELECT max(number) FROM journal WHERE session = ?", row).fetchone()
    return row[0], 0 if last is None else last + 1


def _put_text(connection: sqlite3.Connection, record: ObservedRecord | DerivedRecord) -> None:
    content = bytes_of(record.text)
    put = connection.execute("INSERT OR IGNORE INTO blobs VALUES (?, ?)", (record.digest, content))
    if put.rowcount == 0:
        (kept,) = connection.execute("SELECT content FROM blobs WHERE digest = ?", (record.digest,)).fetchone()
        if kept != content:
            raise wrong_digest(record.id, "was to be kept, but the store holds something else")


def _put_id(connection: sqlite3.Connection, span_id: str, place: tuple[int | None, int]) -> None:
    try:
        connection.execute("INSERT INTO records VALUES (?, ?, ?)", (span_id, *place))
    except sqlite3.IntegrityError:
        raise id_in_use(span_id) from None


def _text(connection: sqlite3.Connection, digest: str) -> str:
    """The text of a digest, which is recomputed."""
    row = connection.execute("SELECT content FROM blobs WHERE digest = ?", (digest,)).fetchone()
    if row is None:
        raise missing(f"sha256 {digest}", "text")
    if digest_of_bytes(row[0]) != digest:
        raise wrong_digest(f"sha256 {digest}", "is kept")
    return text_of(row[0])
