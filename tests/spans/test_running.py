"""While a summarizer runs no derived text is read: in its context, its tasks and the threads that carry it."""

from __future__ import annotations

import asyncio
import contextvars
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ctxcontracts import (
    ObservedSpan,
    RewritePolicyError,
    async_summarizer,
    carried,
    expose,
    summarizer,
)
from ctxcontracts.spans.running import running_summarizer, summarizing
from tests.support.spans import derived, observed

OLD = derived()


def read_old() -> str:
    return expose(OLD.text)


def in_new_thread(function: Callable[[], object]) -> object:
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(function).result()


@pytest.mark.parametrize(
    "read",
    [
        read_old,
        lambda: contextvars.copy_context().run(read_old),
        lambda: in_new_thread(carried(read_old)),
        lambda: asyncio.run(asyncio.to_thread(read_old)),
        lambda: asyncio.run(in_a_task()),
    ],
    ids=["directly", "copied context", "carried thread", "to_thread", "task"],
)
def test_a_summarizer_body_cannot_expose_an_earlier_summary(read: Callable[[], Any]) -> None:
    """Whatever way its work is handed on, as long as the context goes with it."""

    @summarizer
    def sneaky(spans: Sequence[ObservedSpan]) -> str:
        return f"{read()}"

    with pytest.raises(RewritePolicyError, match=r"expose\(\) of derived text was called while the summarizer"):
        sneaky([observed()])
    assert running_summarizer() is None


async def in_a_task() -> str:
    async def read() -> str:
        return read_old()

    return await asyncio.create_task(read())


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="threads may inherit the context there")
def test_a_bare_thread_is_the_documented_limit() -> None:
    """A new thread starts with an empty context: hand its work over with `carried`."""
    read: list[str] = []

    @summarizer
    def threaded(spans: Sequence[ObservedSpan]) -> str:
        thread = threading.Thread(target=lambda: read.append(read_old()))
        thread.start()
        thread.join()
        return "short"

    threaded([observed()])
    assert read == ["a red build"]


async def test_summarizers_that_overlap_do_not_block_each_other_or_their_callers() -> None:
    """One task may read summaries while another runs a summarizer."""
    entered, leave = asyncio.Event(), asyncio.Event()

    @async_summarizer
    async def slow(spans: Sequence[ObservedSpan]) -> str:
        entered.set()
        await leave.wait()
        assert running_summarizer() is not None
        return "short"

    work = asyncio.create_task(slow([observed()]))
    await entered.wait()
    assert read_old() == "a red build"
    leave.set()
    await work


async def test_a_cancelled_summarizer_leaves_no_flag_behind() -> None:
    """Its task may go on to other things."""

    @async_summarizer
    async def slow(spans: Sequence[ObservedSpan]) -> str:
        await asyncio.sleep(60)
        return "short"

    async def give_up() -> str:
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(slow([observed()]), 0.01)
        return read_old()

    assert await give_up() == "a red build"


def test_a_failing_summarizer_leaves_no_flag_behind() -> None:
    """Summaries can be read again after an error."""
    with pytest.raises(ZeroDivisionError):
        summarizer(lambda spans: str(1 // 0))([observed()])
    assert read_old() == "a red build"


def test_a_summarizer_inside_a_summarizer_keeps_the_guard_up() -> None:
    """Its result is derived text too, so merging parts would be a summary of summaries."""
    inner = summarizer(lambda spans: "part")
    outer = summarizer(lambda spans: f"{expose(inner(spans))}")
    with pytest.raises(RewritePolicyError):
        outer([observed()])
    with summarizing("a"):
        with summarizing("b"):
            assert running_summarizer() == "b"
        assert running_summarizer() == "a"


def test_a_run_that_is_thrown_away_in_another_context_ends_quietly() -> None:
    """The garbage collector and event loops close coroutines wherever they are."""
    run = summarizing("shrink")
    contextvars.copy_context().run(run.__enter__)
    run.__exit__(None, None, None)
    assert running_summarizer() is None


def test_carried_work_keeps_its_name_and_can_run_twice_at_once() -> None:
    """Each run has its own copy of the context."""
    barrier = threading.Barrier(2, timeout=10)

    def meet(n: int) -> int:
        barrier.wait()
        return n

    carry = carried(meet)
    assert carry.__name__ == "meet"
    with ThreadPoolExecutor(2) as pool:
        assert list(pool.map(carry, [1, 2])) == [1, 2]
