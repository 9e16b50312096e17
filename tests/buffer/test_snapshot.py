"""A session is opened from its snapshot and the entries behind it, and is what a replay of all would give."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ctxcontracts.buffer import ContextBuffer, session
from ctxcontracts.coldstore import JournalEntry, MemoryStore, SQLiteStore
from ctxcontracts.errors import ColdStoreError, OriginalMissingError, ReentryWarning, StaleSession
from ctxcontracts.spans import DerivedSpan, assistant_text, user_text
from tests.support.buffers import WORDS, filled, shrink, state, summary_of
from tests.support.small_store import sql


class Counted(MemoryStore):  # type: ignore[misc]
    """Counts the entries that are read."""

    read = 0

    def journal(self, name: str, *, after: int = 0) -> Iterator[JournalEntry]:
        entries = list(super().journal(name, after=after))
        self.read += len(entries)
        return iter(entries)


def worked(store: Any) -> ContextBuffer:
    """A session with every kind of state: live, rewritten, re-derived, pruned, forgotten, with messages."""
    messages = [
        {
            "role": "user",
            "content": [{"type": "text", "text": WORDS}, {"type": "text", "text": "and"}],
            "name": "bob",
        },
        {"role": "assistant", "content": None, "tool_calls": [{"id": "c1", "function": {"name": "f"}}]},
    ]
    buffer = ContextBuffer.from_messages(messages, store=store, session="s")
    _, spans = filled(9, buffer)
    made = buffer.rewrite(spans[:2], shrink)
    buffer.rewrite(spans[2:4], shrink)
    buffer.rederive(made, shrink, 2)
    buffer.observe(assistant_text("I have read two summaries, and go on."))
    buffer.prune(spans[5])
    buffer.forget(spans[6].id, reason="asked for")
    return buffer


def test_a_session_is_the_same_from_its_snapshot() -> None:
    """Everything that a replay gives, by reading the entries behind the snapshot only."""
    store = Counted()
    buffer = worked(store)
    buffer._session.keep()
    more = buffer.observe(user_text(f"more {WORDS}"))
    buffer.rewrite(more, shrink)
    whole = state(buffer)
    store.read = 0
    opened = ContextBuffer(store, session="s")
    assert store.read == 2
    assert state(opened) == whole
    assert opened.render() == buffer.render()
    assert opened._session._window.wholes == buffer._session._window.wholes
    assert opened._session._window.echoes.kept() == buffer._session._window.echoes.kept()
    store._snapshots.clear()
    assert state(ContextBuffer(store, session="s")) == whole
    assert opened.observe(assistant_text("next")).informed_by == buffer._session._window.informing()


def test_a_snapshot_holds_no_text() -> None:
    """Texts are in the store, once."""
    store = MemoryStore()
    worked(store)._session.keep()
    kept = store.snapshot("s")
    assert kept is not None
    assert "migration" not in kept.state


def test_long_sessions_leave_snapshots_by_themselves(monkeypatch: pytest.MonkeyPatch) -> None:
    """A crash costs the replay of what came since."""
    monkeypatch.setattr(session, "_LEAST_BETWEEN", 10)
    store = Counted()
    buffer, _ = filled(25, ContextBuffer(store, session="s"))
    kept = store.snapshot("s")
    assert kept is not None
    assert kept.number == 20
    store.read = 0
    assert state(ContextBuffer(store, session="s")) == state(buffer)
    assert store.read == 6


def test_closing_leaves_a_snapshot(tmp_path: Path) -> None:
    """Where there is something to gain by it."""
    with ContextBuffer.open(tmp_path / "store.db", "s") as buffer:
        buffer.observe_all([user_text(f"{number} {WORDS}") for number in range(120)])
    with SQLiteStore(tmp_path / "store.db") as store:
        kept = store.snapshot("s")
        assert kept is not None
        assert kept.number == 121
        assert store.verify() == ()
    with ContextBuffer.open(tmp_path / "store.db", "s") as buffer:
        assert len(buffer) == 120


DAMAGED = {
    "no JSON": "{",
    "no object": "[]",
    "another version": '{"v": 2}',
    "nothing": "{}",
    "wrong shapes": json.dumps({"v": 1, "derived": 3}),
    "spans that are not there": json.dumps({"v": 1, "derived": [], "live": [[1, "s:o99"]]}),
    "a counter that is none": json.dumps({"v": 1, "derived": [], "live": [], "gone": None}),
}


@pytest.mark.parametrize("state_text", DAMAGED.values(), ids=DAMAGED)
def test_a_snapshot_that_cannot_be_used_is_no_loss(state_text: str) -> None:
    """The journal has it right."""
    store = MemoryStore()
    buffer = worked(store)
    store.keep_snapshot("s", state_text, expected=len(list(store.journal("s"))))
    assert state(ContextBuffer(store, session="s")) == state(buffer)


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE snapshots SET state = zeroblob(9)",
        "UPDATE snapshots SET link = zeroblob(32)",
        "UPDATE snapshots SET number = 3",
        "UPDATE snapshots SET number = 99",
    ],
)
def test_a_damaged_snapshot_is_named_and_not_used(tmp_path: Path, statement: str) -> None:
    """It is bound to its bytes and to the entry that it ends with."""
    path = tmp_path / "store.db"
    with SQLiteStore(path) as store:
        buffer = worked(store)
        buffer._session.keep()
        before = state(buffer)
    sql(path, statement)
    with SQLiteStore(path) as store:
        assert [damage.what for damage in store.verify()] == [
            "its snapshot is not what was kept; it is not used, and the next one mends it"
        ]
        opened = ContextBuffer(store, session="s")
        assert state(opened) == before
        opened._session.keep()
        assert store.verify() == ()


def test_a_snapshot_whose_bytes_are_no_snapshot_is_not_used(tmp_path: Path) -> None:
    """With a digest that fits, too."""
    path = tmp_path / "store.db"
    with SQLiteStore(path) as store:
        worked(store)._session.keep()
    digest = hashlib.sha256(b"\0").hexdigest()
    sql(path, f"UPDATE snapshots SET state = x'00', digest = x'{digest}'")
    with SQLiteStore(path) as store:
        assert store.snapshot("s") is None


def test_a_store_that_keeps_no_snapshot_costs_no_operation(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is a copy: what was acknowledged stays acknowledged."""
    monkeypatch.setattr(session, "_LEAST_BETWEEN", 1)

    class Full(Counted):
        def keep_snapshot(self, name: str, state: str, *, expected: int) -> None:
            raise ColdStoreError("the disk is full")

    store = Full()
    buffer, _ = filled(3, ContextBuffer(store, session="s"))
    buffer._session.keep()
    assert len(ContextBuffer(store, session="s")) == 3


def test_a_stale_buffer_leaves_no_snapshot() -> None:
    """It would cover what others wrote since."""
    store = MemoryStore()
    one, two = ContextBuffer(store, session="s"), ContextBuffer(store, session="s")
    one.observe(user_text("one"))
    two._session.keep(least=0)
    assert store.snapshot("s") is None
    with pytest.raises(StaleSession):
        two.observe(user_text("two"))


def test_summaries_are_heard_from_a_snapshot() -> None:
    """P13 holds after opening again."""
    store = MemoryStore()
    buffer = worked(store)
    live = next(span for span in buffer.spans if isinstance(span, DerivedSpan))
    text = summary_of(buffer.rederive(live, shrink, 12))
    buffer._session.keep()
    with pytest.warns(ReentryWarning):
        ContextBuffer(store, session="s").observe(user_text(text))


def test_a_lost_original_is_told_with_a_snapshot_too(tmp_path: Path) -> None:
    """The snapshot cannot be used then, and the replay says what is missing."""
    path = tmp_path / "store.db"
    with SQLiteStore(path) as store:
        worked(store)._session.keep()
    sql(path, "DELETE FROM blobs")
    with SQLiteStore(path) as store, pytest.raises(OriginalMissingError):
        ContextBuffer(store, session="s")
