"""What is wrong in a SQLite store: its pages, its tables, its texts, its journals, its references."""

from __future__ import annotations

import json
import random
import sqlite3
from collections.abc import Iterator, Sequence
from typing import Any

from ctxcontracts.coldstore.chain import first_link, link_of, seal_of
from ctxcontracts.coldstore.codec import decoded
from ctxcontracts.coldstore.content import digest_of_bytes
from ctxcontracts.coldstore.damage import Damage, Mention, damage_of_journal, mention_of
from ctxcontracts.coldstore.forms import Kept
from ctxcontracts.coldstore.intake import missing
from ctxcontracts.coldstore.journal import Forgotten, Observed
from ctxcontracts.coldstore.sqlite_calls import COLUMNS, sealed_call
from ctxcontracts.coldstore.sqlite_connection import forms_of
from ctxcontracts.coldstore.sqlite_snapshots import snapshot_of
from ctxcontracts.contracts.registry import DerivedCall
from ctxcontracts.errors import CtxContractsError
from ctxcontracts.spans.record import digest_of

_THE_FILE = "the file"
_USUAL = '{"v":1,"kind":"observed",'


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
        self._digests: set[str] = set()
        self._places: dict[str, tuple[int, int]] = {}

    def damage(self) -> Iterator[Damage]:
        """Every piece of damage. What cannot be read at all ends its own part of the search, not the others."""
        searches = [self._texts, self._index, self._journals, self._calls, self._snapshots]
        if self._sample >= 1:  # a sample is for stores that take too long to read
            searches = [self._pages, self._schema, *searches, self._records]
        self._connection.execute("BEGIN")
        for search in searches:
            try:
                yield from search()
            except sqlite3.DatabaseError as error:
                yield Damage(_THE_FILE, f"SQLite cannot read on: {error}")
            except (TypeError, AttributeError, ValueError, LookupError, OverflowError) as error:
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
        forms = forms_of(self._connection)
        for digest, form, content in self._connection.execute(*self._wanted_texts()):
            self._digests.add(digest)
            try:
                read = forms.read(Kept(form, content))
            except CtxContractsError as error:
                yield Damage(f"sha256 {digest}", error.happened)
                continue
            if digest_of_bytes(read) != digest:
                yield Damage(f"sha256 {digest}", "the text does not have the digest under which it is kept")

    def _wanted_texts(self) -> tuple[str, tuple[object, ...]]:
        """The query for the texts that are read, and its parameters. A sample does not load the others."""
        query = "SELECT digest, form, content FROM blobs WHERE +space = ?"  # in the order of the file
        if self._sample >= 1:
            return query, (self._space,)
        return f"{query} AND abs(random() % 1000000) < ?", (self._space, int(self._sample * 1_000_000))

    def _journals(self) -> Iterator[Damage]:
        rows = self._connection.execute(
            "SELECT key, name, length, head FROM sessions WHERE space = ? ORDER BY key", (self._space,)
        ).fetchall()
        for key, session, length, head in rows:
            if self._chosen():
                yield from self._journal(key, session, length, head)

    def _journal(self, key: int, session: str, length: int, head: bytes) -> Iterator[Damage]:
        mentions: list[tuple[int, Mention]] = []
        buried: dict[int, str] = {}
        told: dict[int, str] = {}
        link, after = first_link(self._space, session), 0
        rows = self._connection.execute(
            "SELECT number, at, salt, seal, link, entry FROM journal WHERE session = ? ORDER BY number", (key,)
        )
        for number, at, salt, seal, kept, line in rows:
            where = f"{session}, entry {number}"
            if number != after:
                yield Damage(where, f"it should be entry {after}: entries are missing or out of order")
            if salt is None:
                buried[number] = digest_of(line)
            if link_of(link, number, at, seal) != kept or (salt is not None and seal_of(salt, line) != seal):
                yield Damage(where, "it is not what was written, or not behind the entry that it was written behind")
            link, after = kept, number + 1
            try:
                mention = self._mentioned(line, told)
            except CtxContractsError as error:
                yield Damage(where, error.happened)
                continue
            mentions.append((number, mention))
            if mention.made is not None and self._places.pop(mention.made, None) != (key, number):
                yield Damage(mention.made, f"the index of ids does not lead to {where}")
        if (after, link) != (length, head):
            yield Damage(f"{session}, entry {length - 1}", "it is not the end of the journal, as it was when written")
        if buried != told:
            yield Damage(session, "its tombstones are not those that its log of forgetting tells of")
        yield from damage_of_journal(session, mentions, observed=self._is_original)

    def _mentioned(self, line: str, told: dict[int, str]) -> Mention:
        """What an entry says; that of a log of forgetting is told, too. Raises what reading the entry raises."""
        if line.startswith(_USUAL):  # an original, nine of ten: its seal has shown that it is what was written
            fields: dict[str, Any] = json.loads(line)
            self._held(fields["digest"])
            return Mention(fields["id"], original=True)
        entry = decoded(line, self._held)
        if isinstance(entry, Forgotten):
            told.update((trace.number, trace.seal) for trace in entry.traces)
        return mention_of(entry)

    def _index(self) -> Iterator[Damage]:
        rows = self._connection.execute("SELECT id, session, number FROM records WHERE space = ?", (self._space,))
        self._places = {span_id: (session, number) for span_id, session, number in rows}
        return iter(())

    def _records(self) -> Iterator[Damage]:
        for span_id in sorted(self._places):
            yield Damage(
                span_id, "the index of ids leads to a journal entry that is not there, or brings another span"
            )

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
        if digest in self._digests:
            return ""
        row = self._connection.execute("SELECT 1 FROM blobs WHERE space = ? AND digest = ?", (self._space, digest))
        if row.fetchone() is None:
            raise missing(f"sha256 {digest}", "text")
        return ""

    def _is_original(self, span_id: str) -> bool:
        row = self._connection.execute(
            "SELECT entry FROM records JOIN journal USING (session, number) WHERE space = ? AND id = ?",
            (self._space, span_id),
        ).fetchone()
        return row is not None and isinstance(decoded(row[0], lambda _: ""), Observed)
