"""A small store of every kind of content, and all the answers that it gives."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.coldstore import SQLiteStore
from ctxcontracts.coldstore.journal import record_in
from ctxcontracts.contracts.registry import DerivedCall
from ctxcontracts.spans import DerivedId, assistant_text, user_text
from ctxcontracts.spans.record import ObservedRecord
from ctxcontracts.testing.stores import O1, O2, original
from tests.support.buffers import WORDS, shrink

CALL = DerivedCall("5f0c000000000001", "0" * 64, 30, "summarize", "2026-11-30T18:00:00+00:00")
_PAGE_BYTES = 512


def small_store(path: Path) -> Path:
    """A checkpointed store with two sessions, in pages as small as SQLite makes them."""
    connection = sqlite3.connect(path)
    connection.execute(f"PRAGMA page_size = {_PAGE_BYTES}")
    connection.execute("VACUUM")
    connection.close()
    with ContextBuffer.open(path, "s") as buffer:
        spans = [buffer.observe(user_text(f"turn {number}: {WORDS}")) for number in range(4)]
        made = buffer.rewrite(spans[:2], shrink)
        buffer.rederive(made, shrink, 2)
        buffer.observe(assistant_text("short"))
        buffer.prune(spans[2])
        buffer.store.register(CALL)
    with ContextBuffer.open(path, "t") as buffer:
        buffer.observe(user_text(f"turn 0: {WORDS}"))
    return path


def answers(store: SQLiteStore) -> dict[str, object]:
    """Everything that a store says when asked; the texts are read through each of the ways to them."""
    said: dict[str, object] = {
        "sessions": store.sessions(),
        "call": store.by_id(CALL.id),
        "digest": store.find(CALL.digest),
    }
    for session in store.sessions():
        entries = said[session] = list(store.journal(session))
        for record in map(record_in, entries):
            if isinstance(record, ObservedRecord):
                said[record.id] = store.fetch_record(record.id)
            elif record is not None:
                said[record.id] = _derived(store, record.id)
    return said


def _derived(store: SQLiteStore, span_id: DerivedId) -> tuple[object, ...]:
    span = store.derived(span_id)
    return span.id, span.digest, span.sources, span.tokens, span.summarizer, str.__str__(span.text.expose())


def sql(path: Path, *statements: str) -> None:
    """Changes a store behind its back."""
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def with_one_original(path: Path) -> Path:
    """A store with two originals."""
    with SQLiteStore(path) as store:
        store.append("s", [original(O1, "the original"), original(O2, "another")], expected=0)
    return path
