"""An interrupt may come between any two steps: nothing stays half done, and nothing stays held."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.buffer import session as session_module
from ctxcontracts.buffer.attempt import Attempt
from ctxcontracts.buffer.claim import claim_observed
from ctxcontracts.buffer.window import Window
from ctxcontracts.coldstore import JournalEntry, MemoryStore, SQLiteStore
from ctxcontracts.spans import user_text
from tests.support.buffers import filled, ids, shrink, state


def interrupted_once(call: Callable[..., Any], *, after: bool) -> Callable[..., Any]:
    """The same function, which is interrupted at its first call, before or after it did its work."""
    left = [1]

    def interrupted(*args: Any) -> Any:
        if not left:
            return call(*args)
        left.clear()
        if after:
            call(*args)
        raise KeyboardInterrupt

    return interrupted


when = pytest.mark.parametrize("after", [False, True], ids=["before", "after"])


@when
def test_a_claim_whose_making_is_interrupted_is_given_back(after: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Else its spans could not be rewritten again in this process."""
    buffer, spans = filled(2)
    monkeypatch.setattr(session_module, "hold", interrupted_once(session_module.hold, after=after))
    with pytest.raises(KeyboardInterrupt):
        buffer.rewrite(spans, shrink)
    assert not buffer._session._window.claims
    buffer.rewrite(spans, shrink)


@when
def test_a_claim_whose_release_is_interrupted_is_given_back(after: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """The attempt gives it back when it goes."""
    buffer, spans = filled(2)
    buffer.rewrite(spans[0], shrink)
    monkeypatch.setattr(session_module, "release", interrupted_once(session_module.release, after=after))
    with pytest.raises(KeyboardInterrupt):
        buffer.rewrite(spans[1], shrink)
    assert not buffer._session._window.claims
    assert ids(buffer) == ["d1", "d2"]


def test_an_attempt_that_is_never_left_gives_its_claim_back() -> None:
    """The interrupt came between its entry and its block."""
    buffer, spans = filled(1)
    attempt = Attempt(buffer._session, buffer._meter, "call", decide=claim_observed, spans=spans)
    attempt.__enter__()
    assert buffer._session._window.claims
    del attempt
    assert not buffer._session._window.claims
    object.__new__(Attempt).__del__()


class InterruptedJournal(list[JournalEntry]):
    """A journal in memory whose next extension is interrupted."""

    interrupts = 1

    def extend(self, entries: Iterable[JournalEntry]) -> None:
        if self.interrupts:
            self.interrupts = 0
            raise KeyboardInterrupt
        super().extend(entries)


def test_a_memory_store_takes_back_what_an_interrupt_left_half_done() -> None:
    """Records without their journal entries would make every later write of the session fail."""
    store = MemoryStore()
    buffer, _ = filled(2, ContextBuffer(store, session="s"))
    store._journals["s"] = InterruptedJournal(store._journals["s"])
    with pytest.raises(KeyboardInterrupt):
        buffer.observe(user_text("interrupted"))
    assert not store.verify()
    buffer.observe(user_text("again"))
    assert ids(buffer) == ["o1", "o2", "o3"]
    assert state(ContextBuffer(store, session="s")) == state(buffer)


def test_a_first_entry_that_is_interrupted_leaves_no_session(monkeypatch: pytest.MonkeyPatch) -> None:
    """The session begins to exist with its first entry."""
    store = MemoryStore()

    class Interrupted(dict[str, Any]):
        def __setitem__(self, name: str, value: Any) -> None:
            raise KeyboardInterrupt

    monkeypatch.setattr(store, "_journals", Interrupted())
    with pytest.raises(KeyboardInterrupt):
        ContextBuffer(store, session="s").observe(user_text("interrupted"))
    assert store.sessions() == ()
    assert not store._records


def test_a_transaction_that_an_interrupt_left_open_is_ended(tmp_path: Path) -> None:
    """It would be seen by readers, keep other processes out and make the next write fail."""
    with SQLiteStore(tmp_path / "a.db") as store:
        buffer, _ = filled(1, ContextBuffer(store, session="s"))
        store._writer.connection.execute("BEGIN IMMEDIATE")
        store._writer.connection.execute("DELETE FROM journal")
        assert len(list(store.journal("s"))) == 2
        buffer.observe(user_text("more"))
        assert ids(ContextBuffer(store, session="s")) == ["o1", "o2"]


@pytest.mark.parametrize(
    "look",
    [
        lambda buffer, _: buffer.tokens,
        lambda buffer, span: buffer.is_live(span.id),
        lambda buffer, span: buffer.rewritten_into(span.id),
        lambda buffer, _: len(buffer.spans),
    ],
    ids=["tokens", "is_live", "rewritten_into", "spans"],
)
def test_every_reader_sees_the_mended_window(look: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """A window that an interrupt left half changed is shown to nobody."""
    buffer, spans = filled(2)

    def half(window: Window, change: Any) -> None:
        window.tokens += change.tokens
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(Window, "apply", half)
        with pytest.raises(KeyboardInterrupt):
            buffer.rewrite(spans[0], shrink)
    seen = look(buffer, spans[0])
    assert seen == look(ContextBuffer(buffer.store, session=buffer.session), spans[0])
    assert buffer.tokens == sum(span.tokens for span in buffer.spans)


def test_a_window_is_mended_once_whoever_asks_first(monkeypatch: pytest.MonkeyPatch) -> None:
    """A reader that waited for another thread's mending does not do it again."""
    buffer, _ = filled(1)
    session = buffer._session

    class MendedMeanwhile:
        def __enter__(self) -> None:
            session._interrupted = False

        def __exit__(self, *exc_info: object) -> None: ...

    window = session._window
    session._interrupted = True
    monkeypatch.setattr(session, "_writing", MendedMeanwhile())
    assert buffer.tokens == window.tokens
    assert session._window is window
