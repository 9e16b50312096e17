"""The embedded default: a cold store in one SQLite file (and its write-ahead log beside it).

Acknowledged means synced to the disk (`synchronous=FULL`): in an emulated power loss the faster setting lost
acknowledged originals in 50 of 60 cuts, this one in none. Two connections serve all threads of a process: one writes,
in transactions that threads share (`sqlite_writer.py`), one reads, so that no reader waits for the disk of a writer.
"""

from __future__ import annotations

import os
import sqlite3
import threading
from collections.abc import Generator, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import NoReturn, Self, SupportsIndex, final

from ctxcontracts.coldstore.codec import encoded
from ctxcontracts.coldstore.damage import Damage
from ctxcontracts.coldstore.forgetting import Forgetting, checked_request, parted
from ctxcontracts.coldstore.forms import Cipher, Forms
from ctxcontracts.coldstore.intake import bad_argument, closed, missing, records_in
from ctxcontracts.coldstore.journal import JournalEntry, Snapshot
from ctxcontracts.coldstore.reading import Reading
from ctxcontracts.coldstore.retention import Holding
from ctxcontracts.coldstore.sqlite_calls import call_where, put_call
from ctxcontracts.coldstore.sqlite_damage import Examination
from ctxcontracts.coldstore.sqlite_fault import as_written, explained
from ctxcontracts.coldstore.sqlite_forget import forget_rows, held, scrub
from ctxcontracts.coldstore.sqlite_log import lost_operations
from ctxcontracts.coldstore.sqlite_rows import append_rows, may_be_id, read_page, record_at
from ctxcontracts.coldstore.sqlite_schema import TABLES, connected, reading
from ctxcontracts.coldstore.sqlite_snapshots import put_snapshot, snapshot_of
from ctxcontracts.coldstore.sqlite_writer import Writer
from ctxcontracts.contracts.registry import DerivedCall, fresh_id
from ctxcontracts.errors import ColdStoreError
from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord
from ctxcontracts.spans.seal import refuse_copy
from ctxcontracts.spans.span import DerivedSpan, ObservedSpan, seal_derived_span, seal_observed_span

_PAGE = 256
"""How many journal entries are read under one hold of the lock."""


@final
class SQLiteStore:
    """Keeps originals, summaries and journals in a file on a local disk.

    Args:
        path: the file; it is created when it is missing, its folder is not.
        namespace: whose sessions, ids and texts these are. What is kept in one namespace is neither seen nor shared
            in another, equal texts included.
        cipher: encrypts the texts; names, digests and sizes stay readable.
        compress: whether texts are compressed, where that makes them smaller. Needs `ctxcontracts[zstd]`.

    Raises:
        StoreVersionError: when the file is not ours, or of a newer version. It is not changed.
        ColdStoreError: when the file cannot be opened or written.
    """

    def __init__(
        self,
        path: str | os.PathLike[str],
        *,
        namespace: str = "",
        cipher: Cipher | None = None,
        compress: bool = False,
    ) -> None:
        if not isinstance(path, (str, os.PathLike)):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise bad_argument("SQLiteStore(path)", path, instead="pass a path")
        if not may_be_id(namespace):
            raise bad_argument("SQLiteStore(namespace=...)", namespace, instead="pass a name of printable characters")
        self._path = Path(path)
        self._space = namespace
        self._forms = Forms(cipher=cipher, compress=compress)
        self._lock = threading.RLock()
        self._process = os.getpid()
        with explained(self._path, "open"):
            connection = connected(self._path, self._forms)
            try:
                self._lost = lost_operations(connection, self._path)
                self._reader: sqlite3.Connection | None = reading(self._path, self._forms)
            except BaseException:
                connection.close()
                raise
            self._writer = Writer(connection)

    def append(self, session: str, entries: Sequence[JournalEntry], *, expected: int) -> int:
        """See `ColdStore.append`."""
        records_in(entries)
        lines = [(entry, encoded(entry)) for entry in entries]
        self._check("append()")
        with explained(self._path, "write to"):
            return self._writer.run(
                lambda connection: append_rows(connection, self._space, session, lines, expected=expected)
            )

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
        with self._using("journal()") as connection:
            return read_page(connection, self._space, session, first, _PAGE)

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
        with self._using(call) as connection:
            return record_at(connection, self._space, span_id) if may_be_id(span_id) else None

    def keep_snapshot(self, session: str, state: str, *, expected: int) -> None:
        """See `ColdStore.keep_snapshot`."""
        self._check("keep_snapshot()")
        with explained(self._path, "write to"):
            self._writer.run(
                lambda connection: put_snapshot(connection, self._space, session, state, expected=expected)
            )

    def snapshot(self, session: str, /) -> Snapshot | None:
        """See `ColdStore.snapshot`."""
        with self._using("snapshot()") as connection:
            return snapshot_of(connection, self._space, session)

    def sessions(self) -> tuple[str, ...]:
        """See `ColdStore.sessions`."""
        with self._using("sessions()") as connection:
            rows = connection.execute("SELECT name FROM sessions WHERE space = ? ORDER BY key", (self._space,))
            return tuple(name for (name,) in rows)

    def new_id(self) -> str:
        """See `DerivedRegistry.new_id`."""
        return fresh_id()

    def register(self, call: DerivedCall, /) -> None:
        """See `DerivedRegistry.register`: durable when it returns."""
        self._check("register()")
        with explained(self._path, "write to"):
            self._writer.run(lambda connection: put_call(connection, self._space, call))

    def find(self, digest: str, /) -> DerivedCall | None:
        """See `DerivedRegistry.find`."""
        with self._using("find()") as connection:
            return call_where(connection, self._space, "digest", digest)

    def by_id(self, call_id: str, /) -> DerivedCall | None:
        """See `DerivedRegistry.by_id`."""
        with self._using("by_id()") as connection:
            return call_where(connection, self._space, "id", call_id)

    def forget(self, sources: SourceId | Iterable[SourceId], *, reason: str, key: bytes | None = None) -> Forgetting:
        """See `ColdStore.forget`. The file is rewritten, which takes as long as copying it."""
        ids, key = checked_request(sources, reason, key)
        self._check("forget()")
        with explained(self._path, "write to"):
            gone, same = self._writer.run(
                lambda connection: forget_rows(connection, self._space, ids, reason=reason, key=key)
            )
        originals, derived = parted(gone)
        same_text = tuple(map(SourceId, same))
        scrubbed = self._scrubbed()
        return Forgetting(originals=originals, derived=derived, same_text=same_text, scrubbed=scrubbed, key=key)

    def _scrubbed(self) -> bool:
        """Whether what was forgotten is gone from the log and from free pages too; from the rows it is."""
        with self._lock, suppress(sqlite3.Error):  # no reader of this process keeps the log
            return self._writer.alone(scrub)
        return False

    def holdings(self) -> tuple[Holding, ...]:
        """The originals that are kept, oldest first, for `retain`."""
        with self._using("holdings()") as connection:
            return held(connection, self._space)

    def verify(self, *, sample: float = 1.0) -> tuple[Damage, ...]:
        """See `ColdStore.verify`. It reads on a connection of its own, which can write nothing."""
        self._check("verify()")
        found: list[Damage] = []
        if self._lost:
            found.append(
                Damage("the log", f"{self._lost} operations lie behind a frame with a bad checksum, and are lost")
            )
        with explained(self._path, "read"):
            connection = reading(self._path, self._forms)
            try:
                found += Examination(connection, self._space, tables=TABLES, sample=sample).damage()
            finally:
                connection.close()
        return tuple(found)

    def close(self) -> None:
        """See `ColdStore.close`. What is in the log is written into the file, where no other process reads it."""
        with self._lock, explained(self._path, "close"):
            connection, self._reader = self._reader, None
            if connection is not None:
                connection.close()
                self._writer.alone(_closed)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        refuse_copy("SQLiteStore")

    def __repr__(self) -> str:
        return f"<SQLiteStore {self._path}>"

    def _check(self, call: str) -> None:
        if self._reader is None:
            raise closed(call)
        if os.getpid() != self._process:
            raise ColdStoreError(
                f"{call} was called in a process that was forked after the store {self._path} was opened",
                instead="open the store again in each process; SQLite connections do not survive a fork",
            )

    @contextmanager
    def _using(self, call: str) -> Generator[sqlite3.Connection]:
        """The connection that reads, for this thread alone, with SQLite's errors made ours."""
        with self._lock, explained(self._path, "read"):
            self._check(call)
            assert self._reader is not None
            with as_written(self._path):
                yield self._reader


def _closed(connection: sqlite3.Connection) -> None:
    with suppress(sqlite3.Error):  # a full disk: the log keeps everything
        connection.execute("PRAGMA wal_checkpoint(PASSIVE)")
    connection.close()
