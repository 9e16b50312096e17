"""A cold store in memory: for tests, short programs, and sessions that need not outlive their process."""

from __future__ import annotations

import random
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from typing import NoReturn, Self, SupportsIndex, cast, final

from ctxcontracts.coldstore.codec import encoded
from ctxcontracts.coldstore.content import bytes_of
from ctxcontracts.coldstore.damage import Damage, damage_of_journal, damage_of_record, mention_of
from ctxcontracts.coldstore.forgetting import Forgetting, buried, checked_request, keyed, parted
from ctxcontracts.coldstore.intake import check_text, closed, forgotten, id_in_use, missing, records_in, stale
from ctxcontracts.coldstore.journal import Forgotten, JournalEntry, Observed, Snapshot, Tombstone, Trace, record_in
from ctxcontracts.coldstore.reading import Reading
from ctxcontracts.coldstore.retention import Holding
from ctxcontracts.contracts.registry import DerivedCall, MemoryRegistry, digest_of_whole, fresh_id
from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord, digest_of
from ctxcontracts.spans.seal import refuse_copy
from ctxcontracts.spans.span import DerivedSpan, ObservedSpan, seal_derived_span, seal_observed_span

_CHANCE = random.SystemRandom()


@final
class MemoryStore:
    """Holds everything in dictionaries. Durable means here: as long as the object lives."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._journals: dict[str, list[JournalEntry]] = {}
        self._records: dict[str, ObservedRecord | DerivedRecord] = {}
        self._kept_at: dict[str, int] = {}
        self._snapshots: dict[str, Snapshot] = {}
        self._forgotten: set[str] = set()
        self._calls = MemoryRegistry()
        self._closed = False

    def append(self, session: str, entries: Sequence[JournalEntry], *, expected: int) -> int:
        """See `ColdStore.append`."""
        with self._lock:
            if self._closed:
                raise closed("append()")
            journal = self._journals.get(session)
            found = 0 if journal is None else len(journal)
            if found != expected:
                raise stale(session, expected=expected, found=found)
            records = records_in(entries)
            for span_id in records:
                if span_id in self._records or span_id in self._forgotten:
                    raise id_in_use(span_id)
            try:
                self._records.update(records)
                self._kept_at.update(dict.fromkeys(records, time.time_ns() // 1_000_000))
                self._forgotten.update(entry.id for entry in entries if isinstance(entry, Tombstone))
                if journal is not None:
                    journal.extend(entries)
                elif entries:
                    self._journals[session] = list(entries)
            except BaseException:  # an interrupt between the two: all or nothing
                self._take_back(session, found, records)
                raise
            return found + len(entries)

    def _take_back(self, session: str, length: int, records: Iterable[str]) -> None:
        for span_id in records:
            self._records.pop(span_id, None)
        if length:
            del self._journals[session][length:]
        else:
            self._journals.pop(session, None)

    def journal(self, session: str, *, after: int = 0) -> Iterator[JournalEntry]:
        """See `ColdStore.journal`."""
        with self._lock:
            self._check_open("journal()")
            entries = self._journals.get(session, [])[after:]
        for entry in entries:
            record = record_in(entry)
            if record is not None:
                check_text(record, "is kept")
        return Reading(iter(entries))

    def fetch(self, source: SourceId, /) -> ObservedSpan:
        """See `ColdStore.fetch`."""
        return seal_observed_span(self.fetch_record(source))

    def fetch_record(self, source: SourceId, /) -> ObservedRecord:
        """See `ColdStore.fetch_record`."""
        record = self._record("fetch()", source)
        if not isinstance(record, ObservedRecord):
            raise missing(source, "original")
        check_text(record, "is kept")
        return record

    def derived(self, derived: DerivedId, /) -> DerivedSpan:
        """See `ColdStore.derived`."""
        record = self._record("derived()", derived)
        if not isinstance(record, DerivedRecord):
            raise missing(derived, "summary")
        check_text(record, "is kept")
        return seal_derived_span(record)

    def keep_snapshot(self, session: str, state: str, *, expected: int) -> None:
        """See `ColdStore.keep_snapshot`."""
        with self._lock:
            self._check_open("keep_snapshot()")
            found = len(self._journals.get(session, ()))
            if found != expected:
                raise stale(session, expected=expected, found=found)
            self._snapshots[session] = Snapshot(expected, state)

    def snapshot(self, session: str, /) -> Snapshot | None:
        """See `ColdStore.snapshot`."""
        with self._lock:
            self._check_open("snapshot()")
            return self._snapshots.get(session)

    def sessions(self) -> tuple[str, ...]:
        """See `ColdStore.sessions`."""
        with self._lock:
            self._check_open("sessions()")
            return tuple(self._journals)

    def new_id(self) -> str:
        """See `DerivedRegistry.new_id`."""
        return fresh_id()

    def register(self, call: DerivedCall, /) -> None:
        """See `DerivedRegistry.register`."""
        self._check_open("register()")
        if self._calls.by_id(call.id) is None:
            self._calls.register(call)

    def find(self, digest: str, /) -> DerivedCall | None:
        """See `DerivedRegistry.find`."""
        self._check_open("find()")
        return self._calls.find(digest)

    def by_id(self, call_id: str, /) -> DerivedCall | None:
        """See `DerivedRegistry.by_id`."""
        self._check_open("by_id()")
        return self._calls.by_id(call_id)

    def forget(self, sources: SourceId | Iterable[SourceId], *, reason: str, key: bytes | None = None) -> Forgetting:
        """See `ColdStore.forget`."""
        ids, key = checked_request(sources, reason, key)
        with self._lock:
            self._check_open("forget()")
            gone = self._to_forget(ids)
            journals: dict[str, list[JournalEntry]] = {}
            for session, entries in self._journals.items():
                changed = list(entries)
                traces: list[Trace] = []
                for number, entry in enumerate(entries):
                    record = record_in(entry)
                    if record is not None and record.id in gone:
                        changed[number] = tombstone = buried(cast("Observed", entry))
                        seal = digest_of(encoded(tombstone))
                        traces.append(Trace(record.id, number, keyed(key, record.text), seal))
                if traces:
                    journals[session] = [*changed, Forgotten(reason, tuple(traces))]
            self._journals.update(journals)
            for session in journals:
                self._snapshots.pop(session, None)
            self._records = {name: record for name, record in self._records.items() if name not in gone}
            self._forgotten.update(gone)
            digests = {record.digest for record in gone.values()}
            same = tuple(record.id for record in self._records.values() if record.digest in digests)
        self._calls.discard({digest_of_whole(record.text) for record in gone.values()})
        originals, derived = parted(gone.values())
        return Forgetting(originals=originals, derived=derived, same_text=same, scrubbed=True, key=key)

    def _to_forget(self, sources: Iterable[SourceId]) -> dict[str, ObservedRecord | DerivedRecord]:
        gone: dict[str, ObservedRecord | DerivedRecord] = {}
        for source in sources:
            record = self._records.get(source)
            if isinstance(record, ObservedRecord):
                gone[source] = record
            elif source not in self._forgotten:
                raise missing(source, "original")
        for record in self._records.values():
            if isinstance(record, DerivedRecord) and not gone.keys().isdisjoint(record.sources):
                gone[record.id] = record
        return gone

    def holdings(self) -> tuple[Holding, ...]:
        """The originals that are kept, oldest first, for `retain`."""
        with self._lock:
            self._check_open("holdings()")
            return tuple(
                Holding(record.id, self._kept_at.get(record.id, 0), len(bytes_of(record.text)))
                for record in self._records.values()
                if isinstance(record, ObservedRecord)
            )

    def verify(self, *, sample: float = 1.0) -> tuple[Damage, ...]:
        """See `ColdStore.verify`."""
        with self._lock:
            self._check_open("verify()")
            records = dict(self._records)
            journals = {session: tuple(entries) for session, entries in self._journals.items()}
        read = [record for record in records.values() if sample >= 1 or _CHANCE.random() < sample]
        found = [damage for record in read for damage in damage_of_record(record)]
        for session, entries in journals.items():
            found += damage_of_journal(
                session,
                enumerate(map(mention_of, entries)),
                observed=lambda source: isinstance(records.get(source), ObservedRecord),
            )
        return tuple(found)

    def close(self) -> None:
        """See `ColdStore.close`."""
        with self._lock:
            self._closed = True

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        refuse_copy("MemoryStore")

    def __repr__(self) -> str:
        return f"<MemoryStore, {len(self._journals)} sessions, {len(self._records)} records>"

    def _check_open(self, call: str) -> None:
        if self._closed:
            raise closed(call)

    def _record(self, call: str, span_id: object) -> ObservedRecord | DerivedRecord | None:
        with self._lock:
            self._check_open(call)
            if not isinstance(span_id, str):
                return None
            if span_id in self._forgotten:
                raise forgotten(span_id)
            return self._records.get(span_id)
