"""Journal entries as JSON. The text of a span is never in it: `digest` names the blob that holds it.

    {"v":1,"kind":"pruned","ids":["s:o2"]}

Rules for later versions: a new optional field needs no new version, since readers keep unknown fields; a new kind or
a changed meaning does, since a reader that guessed would rebuild a wrong window.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable
from typing import Any, TypeAlias, TypeVar, cast

from ctxcontracts.coldstore.journal import (
    NO_FIELDS,
    Fields,
    Forgotten,
    JournalEntry,
    Observed,
    Pruned,
    Rederived,
    Rewritten,
    Started,
    Tombstone,
    Trace,
)
from ctxcontracts.errors import ColdStoreError, StoreVersionError
from ctxcontracts.spans.provenance import DerivedId, Role, SourceId
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord
from ctxcontracts.spans.text import DerivedStr

T = TypeVar("T")

VERSION = 1
"""Of the first five kinds; later kinds have the version of the library that brought them."""

TextOf: TypeAlias = Callable[[str], str]
"""Gives the text of a digest, after checking that it has that digest."""


def encoded(entry: JournalEntry) -> str:
    """An entry as one line of JSON, without any text of a span."""
    fields: dict[str, object] = {"v": VERSION}
    match entry:
        case Started():
            fields |= {"kind": "started", "counter": entry.counter}
        case Observed():
            fields |= {"kind": "observed", **_observed_fields(entry.record)}
            if entry.message:
                fields["message"] = dict(entry.message)
        case Pruned():
            fields |= {"kind": "pruned", "ids": entry.ids}
        case Rewritten():
            fields |= {"kind": "rewritten", **_derived_fields(entry.record), **_packed(entry.runs)}
        case Tombstone():
            fields |= {"v": 2, "kind": "tombstone", "id": entry.id, "left": entry.left}
        case Forgotten():
            fields |= {"v": 2, "kind": "forgotten", "reason": entry.reason, "traces": entry.traces}
        case _:
            fields |= {"kind": "rederived", **_derived_fields(entry.record), **_packed(entry.runs)}
            fields["replaced"] = entry.replaced
    # What this version knows wins over an `extra` that repeats it.
    return json.dumps({**entry.extra, **fields}, separators=(",", ":"))


def _packed(runs: bytes) -> dict[str, str]:
    return {"runs": base64.b64encode(runs).decode("ascii")} if runs else {}


def _observed_fields(record: ObservedRecord) -> dict[str, object]:
    return {
        "id": record.id,
        "digest": record.digest,
        "origin": record.origin,
        "role": record.role.value,
        "tokens": record.tokens,
        "pinned": record.pinned,
        "informed_by": record.informed_by,
    }


def _derived_fields(record: DerivedRecord) -> dict[str, object]:
    return {
        "id": record.id,
        "digest": record.digest,
        "sources": record.sources,
        "tokens": record.tokens,
        "summarizer": record.summarizer,
    }


def decoded(line: str, text_of: TextOf) -> JournalEntry:
    """The entry of one line of JSON, with the texts of its digests.

    Raises:
        StoreVersionError: when a newer version of the library wrote the line, or a kind that this one does not know.
        ColdStoreError: when the line is no entry; also whatever `text_of` raises.
    """
    try:
        fields = json.loads(line)
        version, kind = fields.pop("v"), fields.pop("kind")
    except (ValueError, AttributeError, KeyError, TypeError) as error:
        raise _unreadable("it is no JSON object with a version and a kind") from error
    read = _READERS.get((version, kind)) if isinstance(kind, str) and isinstance(version, int) else None
    if read is None:
        raise StoreVersionError(
            f"the journal holds an entry of kind {kind!r}, version {version!r}, which this version of ctxcontracts "
            "does not know",
            instead="open the session with the newer version that wrote it; nothing was changed",
        )
    try:
        return read(_Taken(fields), text_of)
    except (KeyError, TypeError, ValueError) as error:
        raise _unreadable(f"the entry of kind {kind!r} lacks a field, or one has the wrong type") from error


def _unreadable(what: str) -> ColdStoreError:
    return ColdStoreError(
        f"an entry of the journal cannot be read: {what}",
        instead="run verify() on the store to see all that is damaged, and restore the store from a copy",
    )


class _Taken:
    """The fields of an entry, each taken out once; what is left was written by a newer version."""

    def __init__(self, fields: dict[str, Any]) -> None:
        self._fields = fields

    def text(self, name: str) -> str:
        return _typed(self._fields.pop(name), str)

    def number(self, name: str) -> int:
        return _typed(self._fields.pop(name), int)

    def flag(self, name: str) -> bool:
        return _typed(self._fields.pop(name), bool)

    def names(self, name: str) -> tuple[str, ...]:
        return tuple(_typed(item, str) for item in self.items(name))

    def items(self, name: str) -> list[Any]:
        items = self._fields.pop(name)
        if not isinstance(items, list):
            raise TypeError(name)
        return items  # pyright: ignore[reportUnknownVariableType] - what is in the list is looked at where it is used

    def fields(self, name: str) -> Fields:
        fields = self._fields.pop(name, {})
        if not isinstance(fields, dict):
            raise TypeError(name)
        return cast("dict[str, object]", fields) or NO_FIELDS

    def packed(self, name: str) -> bytes:
        return base64.b64decode(_typed(self._fields.pop(name, ""), str), validate=True)

    def rest(self) -> Fields:
        return self._fields or NO_FIELDS


def _typed(value: Any, kind: type[T]) -> T:
    if not isinstance(value, kind):
        raise TypeError(kind)
    return value


def _read_started(taken: _Taken, _: TextOf) -> JournalEntry:
    return Started(taken.text("counter"), taken.rest())


def _read_observed(taken: _Taken, text_of: TextOf) -> JournalEntry:
    digest = taken.text("digest")
    record = ObservedRecord(
        id=SourceId(taken.text("id")),
        text=text_of(digest),
        digest=digest,
        origin=taken.text("origin"),
        role=Role(taken.text("role")),
        tokens=taken.number("tokens"),
        pinned=taken.flag("pinned"),
        informed_by=tuple(map(DerivedId, taken.names("informed_by"))),
    )
    return Observed(record, taken.fields("message"), taken.rest())


def _read_pruned(taken: _Taken, _: TextOf) -> JournalEntry:
    return Pruned(tuple(map(SourceId, taken.names("ids"))), taken.rest())


def _read_rewritten(taken: _Taken, text_of: TextOf) -> JournalEntry:
    record, runs = _derived_record(taken, text_of), taken.packed("runs")
    return Rewritten(record, taken.rest(), runs)


def _read_rederived(taken: _Taken, text_of: TextOf) -> JournalEntry:
    record, runs = _derived_record(taken, text_of), taken.packed("runs")
    return Rederived(record, tuple(map(DerivedId, taken.names("replaced"))), taken.rest(), runs)


def _derived_record(taken: _Taken, text_of: TextOf) -> DerivedRecord:
    digest = taken.text("digest")
    return DerivedRecord(
        id=DerivedId(taken.text("id")),
        text=DerivedStr(text_of(digest)),
        digest=digest,
        sources=tuple(map(SourceId, taken.names("sources"))),
        tokens=taken.number("tokens"),
        summarizer=taken.text("summarizer"),
    )


def _read_tombstone(taken: _Taken, _: TextOf) -> JournalEntry:
    return Tombstone(SourceId(taken.text("id")), tuple(map(SourceId, taken.names("left"))), taken.rest())


def _read_forgotten(taken: _Taken, _: TextOf) -> JournalEntry:
    traces = [
        Trace(SourceId(_typed(span_id, str)), _typed(number, int), _typed(keyed, str), _typed(seal, str))
        for span_id, number, keyed, seal in taken.items("traces")
    ]
    return Forgotten(taken.text("reason"), tuple(traces), taken.rest())


_READERS: dict[tuple[int, str], Callable[[_Taken, TextOf], JournalEntry]] = {
    (1, "started"): _read_started,
    (1, "observed"): _read_observed,
    (1, "pruned"): _read_pruned,
    (1, "rewritten"): _read_rewritten,
    (1, "rederived"): _read_rederived,
    (2, "tombstone"): _read_tombstone,
    (2, "forgotten"): _read_forgotten,
}
