"""A session as JSON lines, version 1, for other tools, for copies and for moving it to another store.

    {"ctxcontracts": "session", "v": 1, "session": "s", "entries": 2}
    {"entry": {"v": 1, "kind": "started", "counter": "estimate_tokens"}}
    {"entry": {"v": 1, "kind": "observed", "id": "s:o1", "digest": "…", …}, "text": "Hello."}

The first line says what it is, and how many lines follow. `entry` is the journal entry as the store keeps it
(`codec.py`); `text` is there where the entry names a digest. Readers ignore fields that they do not know.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, cast

from ctxcontracts.coldstore.codec import decoded, encoded
from ctxcontracts.coldstore.journal import JournalEntry, record_in
from ctxcontracts.coldstore.protocol import ColdStore
from ctxcontracts.errors import ColdStoreError, StoreVersionError

_KIND, _VERSION = "session", 1
_AT_ONCE = 1000


def exported(store: ColdStore, session: str) -> Iterator[str]:
    """The lines of a session, without line breaks.

    Raises:
        ColdStoreError: when there is no such session, or an entry cannot be read.
    """
    if session not in store.sessions():
        raise ColdStoreError(f"the store holds no session {session!r}", instead="see `ctxcontracts sessions STORE`")
    entries = list(store.journal(session))
    yield json.dumps({"ctxcontracts": _KIND, "v": _VERSION, "session": session, "entries": len(entries)})
    for entry in entries:
        line: dict[str, object] = {"entry": json.loads(encoded(entry))}
        record = record_in(entry)
        if record is not None:
            line["text"] = str.__str__(record.text)
        yield json.dumps(line)


def imported(store: ColdStore, lines: Iterable[str]) -> str:
    """Puts an exported session into a store, where it must be new, and gives its name.

    Each text is hashed, and the ids are kept, so the copy is the same session.

    Raises:
        StoreVersionError: when a newer version wrote the lines.
        ColdStoreError: when they are no exported session or not all of it, the store has the session or one of the
            ids already, or it cannot be written. What was appended before a later failure stays.
    """
    source = iter(lines)
    head = _parsed(next(source, ""), 1)
    if head.get("ctxcontracts") != _KIND or not isinstance(head.get("session"), str):
        raise _unreadable(1, "it is not the first line of an exported session")
    if head.get("v") != _VERSION:
        raise StoreVersionError(
            f"the lines have version {head.get('v')!r}, and this version of ctxcontracts knows {_VERSION}",
            instead="update ctxcontracts; nothing was changed",
        )
    session, entries = head["session"], [_entry(line, number) for number, line in enumerate(source, start=2)]
    if len(entries) != head.get("entries"):
        raise _unreadable(
            len(entries) + 1, f"{head.get('entries')} entries were promised, and {len(entries)} are here"
        )
    length = 0
    for start in range(0, len(entries), _AT_ONCE):
        length = store.append(session, entries[start : start + _AT_ONCE], expected=length)
    return str(session)


def _entry(line: str, number: int) -> JournalEntry:
    parsed = _parsed(line, number)
    text = parsed.get("text", "")
    if not isinstance(text, str):
        raise _unreadable(number, "its text is none")
    return decoded(json.dumps(parsed.get("entry")), lambda _: text)


def _parsed(line: str, number: int) -> dict[str, Any]:
    try:
        parsed = json.loads(line)
    except ValueError:
        raise _unreadable(number, "it is no JSON") from None
    if not isinstance(parsed, dict):
        raise _unreadable(number, "it is no JSON object")
    return cast("dict[str, Any]", parsed)


def _unreadable(number: int, why: str) -> ColdStoreError:
    return ColdStoreError(f"line {number} cannot be imported: {why}", instead="pass what `ctxcontracts export` wrote")
