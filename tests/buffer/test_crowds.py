"""Crowds on one buffer and on one store: nothing is lost, no span is used twice, no event loop waits."""

from __future__ import annotations

import asyncio
import random
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.buffer.window import is_well_formed
from ctxcontracts.coldstore import MemoryStore, Rewritten, SQLiteStore
from ctxcontracts.errors import CtxContractsError, RewritePolicyError, StaleRewrite, StaleSession
from ctxcontracts.spans import DerivedSpan, ObservedSpan, async_summarizer, user_text
from tests.support.buffers import WORDS, ashrink, filled, ids, shrink, state

MOST_STALL = 0.020
REWRITES = 1000


async def watched(work: Callable[[], Any]) -> float:
    """The longest time for which this process computed while its loop did not run.

    Time on the processor: other programs may keep all of it from the processor for much longer.
    """
    task = asyncio.ensure_future(work())
    longest, last = 0.0, time.process_time()
    while not task.done():
        await asyncio.sleep(0)
        now = time.process_time()
        longest, last = max(longest, now - last), now
    await task
    return longest


def test_a_thousand_tasks_and_sixteen_threads_share_a_buffer(tmp_path: Path) -> None:
    """They fight for the same spans: each is used once, every refusal is ours, and nothing waits for ever."""
    path = tmp_path / "store.db"
    with ContextBuffer.open(path, "s") as buffer:
        spans = buffer.observe_all([user_text(f"turn {number}: {WORDS}") for number in range(600)])
        outcomes: list[object] = []

        async def one() -> object:
            chosen = random.sample(spans, 2)
            return await buffer.arewrite(chosen, ashrink)

        async def crowd() -> None:
            outcomes.extend(await asyncio.gather(*[one() for _ in range(REWRITES)], return_exceptions=True))

        def thread() -> None:
            for _ in range(5):
                try:
                    outcomes.append(buffer.rewrite(random.sample(spans, 2), shrink))
                except CtxContractsError as error:
                    outcomes.append(error)

        threads = [threading.Thread(target=thread) for _ in range(16)]
        for each in threads:
            each.start()
        asyncio.run(asyncio.wait_for(crowd(), timeout=120))
        for each in threads:
            each.join()
        made = [outcome for outcome in outcomes if isinstance(outcome, DerivedSpan)]
        refused = [outcome for outcome in outcomes if not isinstance(outcome, DerivedSpan)]
        assert len(outcomes) == REWRITES + 16 * 5
        assert all(isinstance(outcome, (StaleRewrite, RewritePolicyError)) for outcome in refused)
        used = Counter(source for span in made for source in span.sources)
        assert set(used.values()) == {1}
        assert len(made) > 100
        assert is_well_formed(buffer._session._window)
        assert not buffer._session._window.claims
        before = state(buffer)
    with ContextBuffer.open(path, "s") as buffer:
        assert state(buffer) == before
        told = [entry.record.id for entry in buffer.store.journal("s") if isinstance(entry, Rewritten)]
        assert sorted(told) == sorted(span.id for span in made)


def test_fifty_sessions_in_four_processes_share_a_store(tmp_path: Path) -> None:
    """Nothing is lost, and every session is whole."""
    path = str(tmp_path / "store.db")
    SQLiteStore(path).close()
    sizes = {"p0": 13, "p1": 13, "p2": 12, "p3": 12}
    children = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.support.crowd", path, name, str(size), "3"], stdout=subprocess.DEVNULL
        )
        for name, size in sizes.items()
    ]
    assert [child.wait(timeout=120) for child in children] == [0] * 4
    with SQLiteStore(path) as store:
        assert len(store.sessions()) == 50
        for name in store.sessions():
            assert ids(ContextBuffer(store, session=name)) == ["d1", "d2", "d3"]
        assert store.verify() == ()


class Watching:
    """A store that notes the threads of its calls."""

    def __init__(self) -> None:
        self.inner = MemoryStore()
        self.threads: set[int] = set()

    def __getattr__(self, name: str) -> Any:
        found = getattr(self.inner, name)
        if not callable(found):
            return found

        def noted(*args: Any, **kwargs: Any) -> Any:
            self.threads.add(threading.get_ident())
            return found(*args, **kwargs)

        return noted


async def test_no_async_method_calls_the_store_on_the_loop() -> None:
    """Each of them, and after an interrupt too, when the window is read again."""
    store = Watching()
    buffer = await asyncio.to_thread(ContextBuffer, store, session="s")  # type: ignore[arg-type]
    store.threads.clear()
    one = await buffer.aobserve(user_text(WORDS))
    two, three = await buffer.aobserve_all([user_text(WORDS + "2"), user_text(WORDS + "3")])
    made = await buffer.arewrite(one, ashrink)
    await buffer.arederive(made, ashrink)
    await buffer.aprune(two)
    await buffer.aforget(three.id, reason="asked for")
    await buffer.areload()
    for use in (lambda span: buffer.arewrite(span, ashrink), lambda span: buffer.arederive(made, ashrink)):
        span = await buffer.aobserve(user_text(WORDS))
        buffer._session._interrupted = True
        try:
            await use(span)
        except StaleRewrite:
            assert "d1" not in ids(buffer)
    assert await buffer.averify()
    assert (await buffer.aoriginal(one.id)).text == WORDS
    assert store.threads
    assert threading.get_ident() not in store.threads


def test_the_loop_is_never_held_for_long(tmp_path: Path) -> None:
    """A crowd of rewrites on a disk keeps it for at most 20 ms; the best of three tries."""
    stalls = []
    for attempt in range(3):
        with ContextBuffer.open(tmp_path / f"{attempt}.db", "s") as buffer:
            _, spans = filled(60, buffer)

            async def crowd(buffer: ContextBuffer = buffer, spans: list[ObservedSpan] = spans) -> None:
                await asyncio.gather(*[buffer.arewrite(span, ashrink) for span in spans])

            stalls.append(asyncio.run(watched(crowd)))
        if stalls[-1] <= MOST_STALL:
            return
    pytest.fail(f"the loop stood still for {min(stalls) * 1000:.0f} ms of work")


def test_the_second_process_on_a_session_is_stale_and_can_reload(tmp_path: Path) -> None:
    """A clear error, and then it goes on with what the first has written."""
    path = tmp_path / "store.db"
    with ContextBuffer.open(path, "s") as buffer:
        filled(2, buffer)
        code = (
            "from ctxcontracts import ContextBuffer, user_text\n"
            f"with ContextBuffer.open({str(path)!r}, 's') as buffer:\n"
            "    buffer.observe(user_text('from another process'))\n"
        )
        subprocess.run([sys.executable, "-c", code], check=True)
        before = state(buffer)
        for use in (lambda: buffer.observe(user_text("x")), lambda: buffer.rewrite(buffer.spans[:2], shrink)):  # type: ignore[arg-type]
            with pytest.raises(StaleSession, match="another buffer or process wrote to it"):
                use()
            assert state(buffer) == before
        buffer.reload()
        assert ids(buffer) == ["o1", "o2", "o3"]
        assert buffer.rewrite(buffer.spans[:2], shrink).id == "s:d2"  # type: ignore[arg-type]


async def test_an_exception_in_a_crowd_gives_its_claim_back() -> None:
    """Every second summarizer fails or is cancelled; their spans can be rewritten afterwards."""
    buffer, spans = filled(40)

    @async_summarizer
    async def failing(given: Sequence[ObservedSpan]) -> str:
        await asyncio.sleep(0.001)
        if given[0].id.endswith("0"):
            raise OSError("no network")
        await asyncio.sleep(3600)
        return "never"

    tasks = [asyncio.create_task(buffer.arewrite(span, failing)) for span in spans]
    await asyncio.sleep(0.05)
    for task in tasks:
        task.cancel()
    outcomes = await asyncio.gather(*tasks, return_exceptions=True)
    assert Counter(type(outcome).__name__ for outcome in outcomes) == {"CancelledError": 36, "OSError": 4}
    assert len(buffer) == 40
    assert not buffer._session._window.claims
    await asyncio.gather(*[buffer.arewrite(span, ashrink) for span in spans])
