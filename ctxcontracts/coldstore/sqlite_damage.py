"""What is wrong in a SQLite store: its pages, its tables, its texts, its journals, its references."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator, Sequence

from ctxcontracts.coldstore.chain import first_link, link_of, seal_of
from ctxcontracts.coldstore.codec import decoded
from ctxcontracts.coldstore.content import digest_of_bytes
from ctxcontracts.coldstore.damage import Damage, damage_of_journal, id_in
from ctxcontracts.coldstore.forms import Kept
from ctxcontracts.coldstore.intake import missing
from ctxcontracts.coldstore.journal import Forgotten, JournalEntry, Observed
from ctxcontracts.coldstore.sqlite_calls import COLUMNS, sealed_call
from ctxcontracts.coldstore.sqlite_connection import forms_of
from ctxcontracts.coldstore.sqlite_snapshots import snapshot_of
from ctxcontracts.contracts.registry import DerivedCall
from ctxcontracts.errors import CtxContractsError
from ctxcontracts.spans.record import digest_of

_THE_FILE = "the file"


class Examination:
    """One look at everything in a store, in one read transaction of a connection of its own.

    Args:
        connection: a connection that writes nothing.
        space: the namespace that is looked at.
        tables: the statements that made the tables.
        sample: the share of texts, sessions and calls that is read, chosen by chance.
    """

    def __init__(
        self, connection: sqlite3.Connection, space: str, *, tables: Sequence[str], sample: float = 1.0
    ) -> None:
        self._connection = connection
        self._space = space
        self._tables = tables
        self._sample = sample
        self._chance = random.SystemRandom()

    def damage(self) -> Iterator[Damage]:
        """Every piece of damage. What cannot be read at all ends its own part of the search, not the others."""
        searches = [self._texts, self._journals, self._calls, self._snapshots]
        if self._sample >= 1:  # a sample is for stores that take too long to read
            searches = [self._pages, self._schema, *searches, self._records]
        self._connection.execute("BEGIN")
        for search in searches:
            try:
                yield from search()
            except sqlite3.DatabaseError as error:
                yield Damage(_THE_FILE, f"SQLite cannot read on: {error}")
            except (TypeError, AttributeError, ValueError, OverflowError) as error:
                yield Damage(_THE_FILE, f"a row is not what was written: {type(error).__name__}")
        self._connection.execute("ROLLBACK")

    def _chosen(self) -> bool:
        return self._sample >= 1 or self._chance.random() < self._sample

    def _pages(self) -> Iterator[Damage]:
        for (said,) in self._connection.execute("PRAGMA integrity_check"):
            if said != "ok":
                yield Damage(_THE_FILE, f"SQLite says: {said}")

    def _schema(self) -> Iterator[Damage]:
        made = {sql for (sql,) in self._connection.execute("SELECT sql FROM sqlite_schema WHERE sql IS NOT NULL")}
        if made != set(self._tables):
            yield Damage(_THE_FILE, "its tables are not those that this version makes")

    def _texts(self) -> Iterator[Damage]:
        rows = self._connection.execute("SELECT rowid, digest FROM blobs WHERE space = ?", (self._space,))
        for row, digest in rows:
            if self._chosen():
                kept = self._connection.execute("SELECT form, content FROM blobs WHERE rowid = ?", (row,)).fetchone()
                try:
                    content = forms_of(self._connection).read(Kept(*kept))
                except CtxContractsError as error:
                    yield Damage(f"sha256 {digest}", error.happened)
                    continue
                if digest_of_bytes(content) != digest:
                    yield Damage(f"sha256 {digest}", "the text does not have the digest under which it is kept")

    def _journals(self) -> Iterator[Damage]:
        rows = self._connection.execute(
            "SELECT key, name, length, head FROM sessions WHERE space = ? ORDER BY key", (self._space,)
        ).fetchall()
        for key, session, length, head in rows:
            if self._chosen():
                yield from self._journal(key, session, length, head)

    def _journal(self, key: int, session: str, length: int, head: bytes) -> Iterator[Damage]:
        entries: list[tuple[int, JournalEntry]] = []
        buried: dict[int, str] = {}
        link, after = first_link(self._space, session), 0
        rows = self._connection.execute(
            "SELECT number, at, salt, seal, link, entry FROM journal WHERE session = ? ORDER BY number", (key,)
        )
        for number, at, salt, seal, kept, line in rows.fetchall():
            where = f"{session}, entry {number}"
            if number != after:
                yield Damage(where, f"it should be entry {after}: entries are missing or out of order")
            if salt is None:
                buried[number] = digest_of(line)
            if link_of(link, number, at, seal) != kept or (salt is not None and seal_of(salt, line) != seal):
                yield Damage(where, "it is not what was written, or not behind the entry that it was written behind")
            link, after = kept, number + 1
            try:
                entry = decoded(line, self._held)
            except CtxContractsError as error:
                yield Damage(where, error.happened)
                continue
            entries.append((number, entry))
            made = id_in(entry)
            if made is not None and not self._points_here(made, (key, number)):
                yield Damage(made, f"the index of ids does not lead to {where}")
        if (after, link) != (length, head):
            yield Damage(f"{session}, entry {length - 1}", "it is not the end of the journal, as it was when written")
        traces = [trace for _, entry in entries if isinstance(entry, Forgotten) for trace in entry.traces]
        if buried != {trace.number: trace.seal for trace in traces}:
            yield Damage(session, "its tombstones are not those that its log of forgetting tells of")
        yield from damage_of_journal(session, entries, observed=self._is_original)

    def _records(self) -> Iterator[Damage]:
        rows = self._connection.execute(
            "SELECT id FROM records LEFT JOIN journal USING (session, number) "
            "WHERE space = ? AND entry IS NULL ORDER BY id",
            (self._space,),
        )
        for (span_id,) in rows:
            yield Damage(span_id, "the index of ids leads to a journal entry that is not there")

    def _calls(self) -> Iterator[Damage]:
        rows = self._connection.execute(
            f"SELECT {COLUMNS}, seal FROM derived_calls WHERE space = ?",  # noqa: S608 - a constant
            (self._space,),
        )
        for *fields, seal in rows:
            call = DerivedCall(*fields)
            if sealed_call(self._space, call) != seal:
                yield Damage(f"derived call {call.id}", "it is not what was written")

    def _snapshots(self) -> Iterator[Damage]:
        rows = self._connection.execute(
            "SELECT name FROM snapshots JOIN sessions ON session = key WHERE space = ? ORDER BY key", (self._space,)
        )
        for (session,) in rows.fetchall():
            if snapshot_of(self._connection, self._space, session) is None:
                yield Damage(session, "its snapshot is not what was kept; it is not used, and the next one mends it")

    def _held(self, digest: str) -> str:
        """Nothing, for a text that is there: its bytes are another search."""
        row = self._connection.execute("SELECT 1 FROM blobs WHERE space = ? AND digest = ?", (self._space, digest))
        if row.fetchone() is None:
            raise missing(f"sha256 {digest}", "text")
        return ""

    def _points_here(self, span_id: str, place: tuple[int, int]) -> bool:
        row: object = self._connection.execute(
            "SELECT session, number FROM records WHERE space = ? AND id = ?", (self._space, span_id)
        ).fetchone()
        return row == place

    def _is_original(self, span_id: str) -> bool:
        row = self._connection.execute(
            "SELECT entry FROM records JOIN journal USING (session, number) WHERE space = ? AND id = ?",
            (self._space, span_id),
        ).fetchone()
        return row is not None and isinstance(decoded(row[0], lambda _: ""), Observed)
