"""Threads, asyncio and interrupts: nothing is lost, nothing is used twice, claims come back."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Sequence
from pathlib import Path

import pytest

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.buffer.offload import off_loop
from ctxcontracts.buffer.window import is_well_formed
from ctxcontracts.coldstore import JournalEntry, MemoryStore
from ctxcontracts.contracts import CONTRACTS_ON
from ctxcontracts.errors import CtxContractsError, DamagedOriginalError, RewritePolicyError, StaleRewrite
from ctxcontracts.spans import (
    ObservedSpan,
    assistant_text,
    async_summarizer,
    carried,
    expose,
    summarizer,
    user_text,
)
from tests.support.buffers import ashrink, filled, ids, shrink, state


def test_of_two_threads_exactly_one_rewrites_a_span() -> None:
    """P11: overlapping rewrites that start together, twenty times over."""
    for _ in range(20):
        buffer, spans = filled(3)
        together = threading.Barrier(2)
        outcomes: list[object] = []

        def rewrite(part: list[ObservedSpan], together: threading.Barrier = together) -> None:
            together.wait()
            try:
                outcomes.append(buffer.rewrite(part, shrink))  # noqa: B023
            except (StaleRewrite, RewritePolicyError) as error:
                outcomes.append(error)  # noqa: B023

        threads = [threading.Thread(target=rewrite, args=(part,)) for part in (spans[:2], spans[1:])]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert sum(isinstance(outcome, CtxContractsError) for outcome in outcomes) == 1
        assert len(ids(buffer)) == 2
        assert is_well_formed(buffer._session._window)


def test_many_threads_lose_nothing(tmp_path: Path) -> None:
    """Every acknowledged operation is in the window, and the journal tells the same story."""
    path = tmp_path / "store.db"
    with ContextBuffer.open(path, "s") as buffer:
        errors: list[BaseException] = []

        def work(name: str) -> None:
            try:
                for number in range(6):
                    one = buffer.observe(user_text(f"{name} {number} " + "word " * 50))
                    two = buffer.observe(assistant_text("word " * 50))
                    made = buffer.rewrite([one, two], shrink)
                    if number % 2:
                        buffer.prune(buffer.rederive(made, shrink, 2))
                    buffer.render()
            except BaseException as error:
                errors.append(error)

        threads = [threading.Thread(target=work, args=(f"t{n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors
        assert is_well_formed(buffer._session._window)
        before = state(buffer)
        assert len(buffer) == 12
    with ContextBuffer.open(path, "s") as buffer:
        # Promised ids that came to nothing leave gaps; everything else is the same.
        assert state(buffer) == before


def test_a_thread_of_a_summarizer_reads_no_summary_either() -> None:
    """P2 follows into threads that carry the context."""
    buffer, spans = filled(2)
    made = buffer.rewrite(spans[0], shrink)
    refused: list[BaseException] = []

    def peek() -> None:
        try:
            expose(made.text)
        except RewritePolicyError as error:
            refused.append(error)

    @summarizer
    def threading_summarizer(given: Sequence[ObservedSpan]) -> str:
        thread = threading.Thread(target=carried(peek))
        thread.start()
        thread.join()
        return "They went on."

    buffer.rewrite(spans[1], threading_summarizer)
    assert len(refused) == 1


async def test_of_gathered_rewrites_exactly_one_wins() -> None:
    """P11 under asyncio: a hundred tasks want the same spans."""
    buffer, spans = filled(3)
    outcomes = await asyncio.gather(*[buffer.arewrite(spans, ashrink) for _ in range(100)], return_exceptions=True)
    refused = [outcome for outcome in outcomes if isinstance(outcome, (StaleRewrite, RewritePolicyError))]
    assert len(refused) == 99
    assert ids(buffer) == ["d1"]


async def test_gathered_rewrites_of_different_spans_all_succeed() -> None:
    """Nobody waits for a summarizer of somebody else."""
    buffer, spans = filled(8)
    made = await asyncio.gather(*[buffer.arewrite(span, ashrink) for span in spans])
    assert list(buffer.spans) == made
    again = await buffer.arederive(made[2:5], ashrink)
    assert again.sources == tuple(span.id for span in spans[2:5])
    assert is_well_formed(buffer._session._window)


@pytest.mark.skipif(not CONTRACTS_ON, reason="the hole is one of icontract; without contracts there is none to show")
async def test_the_guard_holds_where_icontract_skips_its_check() -> None:
    """After one contracted call, the second of two gathered calls runs unchecked; the guard still refuses it."""
    import icontract

    checked: list[object] = []

    def noted(given: object) -> bool:
        checked.append(given)
        return True

    @icontract.require(noted)
    async def contracted(given: int) -> None:
        await asyncio.sleep(0.01)

    await contracted(0)
    checked.clear()
    await asyncio.gather(contracted(1), contracted(2))
    assert checked == [1], "icontract has mended its hole: rejoice, and remove this test"

    buffer, spans = filled(4)
    made = buffer.rewrite(spans[0], shrink)
    await buffer.arewrite(spans[1], ashrink)
    wrong: list[ObservedSpan] = [made]  # type: ignore[list-item]
    outcomes = await asyncio.gather(
        buffer.arewrite(spans[2], ashrink), buffer.arewrite(wrong, ashrink), return_exceptions=True
    )
    assert isinstance(outcomes[1], RewritePolicyError)
    assert ids(buffer) == ["d1", "d2", "d3", "o4"]


async def test_a_cancelled_summarizer_changes_nothing() -> None:
    """The claim comes back."""
    buffer, spans = filled(2)
    started = asyncio.Event()

    @async_summarizer
    async def endless(given: Sequence[ObservedSpan]) -> str:
        started.set()
        await asyncio.sleep(3600)
        return "never"

    before = state(buffer)
    task = asyncio.create_task(buffer.arewrite(spans, endless))
    await started.wait()
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert state(buffer) == before
    await buffer.arewrite(spans, ashrink)


class SlowStore:
    """A memory store whose appends take a while, and tell when they begin."""

    def __init__(self) -> None:
        self.inner = MemoryStore()
        self.began = threading.Event()
        self.seconds = 0.0

    def append(self, session: str, entries: Sequence[JournalEntry], *, expected: int) -> int:
        self.began.set()
        time.sleep(self.seconds)
        return self.inner.append(session, entries, expected=expected)

    def __getattr__(self, name: str) -> object:
        return getattr(self.inner, name)


async def test_a_cancellation_in_mid_commit_arrives_when_it_has_ended() -> None:
    """When the caller hears of it, the rewrite is there as a whole; cancelling again changes nothing."""
    store = SlowStore()
    buffer = ContextBuffer(store)  # type: ignore[arg-type]
    _, spans = filled(2, buffer)
    store.began.clear()
    store.seconds = 0.2
    task = asyncio.create_task(buffer.arewrite(spans, ashrink))
    await asyncio.to_thread(store.began.wait)
    task.cancel()
    await asyncio.sleep(0.01)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert ids(buffer) == ["d1"]
    assert not buffer._session._window.claims


async def test_the_loop_runs_on_while_the_store_is_slow() -> None:
    """No store call of an async method blocks the event loop."""
    store = SlowStore()
    buffer = ContextBuffer(store)  # type: ignore[arg-type]
    _, spans = filled(2, buffer)
    store.seconds = 0.3
    task = asyncio.create_task(buffer.arewrite(spans, ashrink))
    longest, last = 0.0, time.perf_counter()
    while not task.done():
        await asyncio.sleep(0.001)
        now = time.perf_counter()
        longest, last = max(longest, now - last), now
        assert len(buffer.spans) in {1, 2}
    assert longest < 0.2


async def test_an_error_during_a_cancelled_commit_is_outranked() -> None:
    """The cancellation is what the caller hears of."""
    entered = threading.Event()

    def failing() -> None:
        entered.set()
        time.sleep(0.05)
        raise DamagedOriginalError("late")

    task = asyncio.create_task(off_loop(failing))
    await asyncio.to_thread(entered.wait)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task


async def test_what_runs_off_the_loop_sees_the_callers_context() -> None:
    """A running summarizer is still known to run."""

    def look() -> None:
        expose(made.text)

    buffer, spans = filled(1)
    made = buffer.rewrite(spans[0], shrink)

    @async_summarizer
    async def threaded(given: Sequence[ObservedSpan]) -> str:
        await off_loop(look)
        return "never"

    with pytest.raises(RewritePolicyError, match="while the summarizer"):
        await buffer.arederive(made, threaded)


# --- interrupts ----------------------------------------------------------------------------------------------------


class InterruptedStore(SlowStore):
    """A store whose next append is interrupted, before or after it has kept the entries."""

    def __init__(self) -> None:
        super().__init__()
        self.interrupt = ""

    def append(self, session: str, entries: Sequence[JournalEntry], *, expected: int) -> int:
        when, self.interrupt = self.interrupt, ""
        if when == "before":
            raise KeyboardInterrupt
        length = super().append(session, entries, expected=expected)
        if when == "after":
            raise KeyboardInterrupt
        return length


@pytest.mark.parametrize("when", ["before", "after"])
def test_an_interrupt_of_a_write_leaves_window_and_journal_alike(when: str) -> None:
    """Whether the store had it already is read from the journal, not guessed."""
    store = InterruptedStore()
    buffer = ContextBuffer(store, session="s")  # type: ignore[arg-type]
    _, spans = filled(4, buffer)
    for use, expected in (
        (lambda: buffer.rewrite(spans[:2], shrink), ["d1", "o3", "o4"]),
        (lambda: buffer.observe(user_text("more")), ["d1", "o3", "o4", "o5"]),
        (lambda: buffer.prune(spans[2]), ["d1", "o4", "o5"]),
    ):
        store.interrupt = when
        with pytest.raises(KeyboardInterrupt):
            use()
        if when == "before":
            use()
        assert [name.replace("d2", "d1") for name in ids(buffer)] == expected
        assert is_well_formed(buffer._session._window)
        assert not buffer._session._window.claims
    buffer.observe_all([user_text("and more")])
    assert state(ContextBuffer(store, session="s")) == state(buffer)  # type: ignore[arg-type]


def test_a_write_after_an_interrupt_mends_the_window_first() -> None:
    """Writers come before readers, too."""
    store = InterruptedStore()
    buffer = ContextBuffer(store, session="s")  # type: ignore[arg-type]
    for write in (
        lambda: buffer.observe(user_text("x")),
        lambda: buffer.observe_all([user_text("y"), user_text("z")]),
    ):
        store.interrupt = "after"
        with pytest.raises(KeyboardInterrupt):
            buffer.observe(user_text("interrupted"))
        write()
    assert ids(buffer) == ["o1", "o2", "o3", "o4", "o5"]
