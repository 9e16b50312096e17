"""`@derives` over one existing function: its result is known again, and refused as its input."""

from __future__ import annotations

import asyncio
import functools
import inspect
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from ctxcontracts import (
    DerivedStr,
    Promise,
    ProvenanceError,
    Rejection,
    RewritePolicyError,
    SummaryRejected,
    async_summarizer,
    derives,
    summarizer,
    user_text,
)
from ctxcontracts.contracts.derives import PROCESS_REGISTRY
from ctxcontracts.contracts.registry import MemoryRegistry
from ctxcontracts.errors import DerivedAgainError
from ctxcontracts.spans.mark import mark, marked_ids
from ctxcontracts.spans.running import running_summarizer

HISTORY = [{"role": "user", "content": "Why was the build red?"}, {"role": "tool", "content": "no space left"}]
TEXT = "The user asks why the build was red; the disk was full."


def messages(*contents: object) -> list[dict[str, object]]:
    return [{"role": "user", "content": content} for content in contents]


@derives
def summarize(history: list[dict[str, Any]], *more: object, limit: int = 3, **options: object) -> str:
    """Summarize."""
    return TEXT


@derives
async def asummarize(history: list[dict[str, Any]]) -> str:
    await asyncio.sleep(0)
    return TEXT


class Agent:
    @derives
    def method(self, history: list[Any]) -> str:
        return TEXT

    @derives
    async def amethod(self, history: list[Any]) -> str:
        return TEXT

    @derives
    @staticmethod
    def static(history: list[Any]) -> str:
        return TEXT

    @staticmethod
    @derives
    def static_outside(history: list[Any]) -> str:
        return TEXT

    @derives
    @classmethod
    def of_class(cls, history: list[Any]) -> str:
        return TEXT

    @classmethod
    @derives
    def of_class_outside(cls, history: list[Any]) -> str:
        return TEXT


class CallableObject:
    def __call__(self, history: list[Any]) -> str:
        return TEXT


class AsyncCallableObject:
    async def __call__(self, history: list[Any]) -> str:
        return TEXT


def returns_awaitable(history: list[Any]) -> Awaitable[str]:
    async def later() -> str:
        return TEXT

    return later()


FUNCTIONS: dict[str, tuple[Callable[..., Any], str]] = {
    "function": (summarize, "summarize"),
    "async function": (asummarize, "asummarize"),
    "method": (Agent().method, "Agent.method"),
    "async method": (Agent().amethod, "Agent.amethod"),
    "static": (Agent.static, "Agent.static"),
    "static outside": (Agent().static_outside, "Agent.static_outside"),
    "class": (Agent.of_class, "Agent.of_class"),
    "class outside": (Agent.of_class_outside, "Agent.of_class_outside"),
    "lambda": (derives(lambda history: TEXT), "<lambda>"),
    "partial": (derives(functools.partial(lambda n, history: TEXT, 1)), "<lambda>"),
    "callable object": (derives(CallableObject()), "CallableObject"),
    "async callable object": (derives(AsyncCallableObject()), "AsyncCallableObject"),
    "hidden coroutine": (derives(returns_awaitable), "returns_awaitable"),
    "with options": (derives(mark=True)(lambda history: TEXT), "<lambda>"),
}


async def result_of(call: object) -> Any:
    return await call if inspect.isawaitable(call) else call


@pytest.mark.parametrize(("function", "name"), FUNCTIONS.values(), ids=FUNCTIONS)
async def test_a_result_is_refused_as_an_input_whatever_the_function(function: Callable[..., Any], name: str) -> None:
    """The error names the function that wrote it, the id and the time."""
    summary = await result_of(function(HISTORY))
    assert type(summary) is DerivedStr
    (call_id,) = marked_ids(summary)
    assert summary == f"{mark(call_id)} {TEXT}"
    earlier = PROCESS_REGISTRY.by_id(call_id)
    assert earlier is not None
    assert earlier.function.endswith(name)
    with pytest.raises(DerivedAgainError) as caught:
        await result_of(function([*HISTORY, *messages(summary)]))
    error = caught.value
    assert (error.earlier_id, error.earlier_function, error.earlier_when) == (call_id, earlier.function, earlier.when)
    assert isinstance(error, RewritePolicyError)
    assert error.promise is Promise.OBSERVED_ONLY
    assert "[2]['content'] holds text that" in error.happened
    assert call_id in str(error)
    assert "disk" not in str(error)


def test_the_function_keeps_its_name_kind_and_signature() -> None:
    """Frameworks that inspect it see what they saw before."""
    assert (summarize.__name__, summarize.__doc__) == ("summarize", "Summarize.")
    assert list(inspect.signature(summarize).parameters) == ["history", "more", "limit", "options"]
    assert inspect.iscoroutinefunction(asummarize)
    assert not inspect.iscoroutinefunction(summarize)


def test_a_result_goes_through_no_door() -> None:
    """Neither as it is, nor as plain text with its mark."""
    summary = summarize(HISTORY)
    for text in (summary, str(summary), summary.strip()):
        with pytest.raises(ProvenanceError):
            user_text(text)


@pytest.mark.parametrize(
    "result", ["", " \n", None, "Error: overloaded"], ids=["empty", "blank", "None", "error text"]
)
async def test_what_is_no_summary_passes_through_unregistered(result: str | None) -> None:
    """The code around a function that failed goes on as it did before."""
    registry = MemoryRegistry()

    async def later(history: object) -> Any:
        return result

    decorate = derives(store=registry)
    assert decorate(lambda history: result)(HISTORY) is result  # type: ignore[type-var, return-value]
    assert await decorate(later)(HISTORY) is result
    assert len(registry) == 0


def test_what_is_no_text_is_rejected() -> None:
    """A response object in place of its text is a slip at the decorator."""
    with pytest.raises(SummaryRejected, match="gave a dict, not a str") as caught:
        derives(lambda history: {"text": TEXT})(HISTORY)
    assert caught.value.reason is Rejection.NOT_TEXT


async def test_errors_of_the_function_pass_through() -> None:
    """Nothing is registered, and no flag stays behind."""
    registry = MemoryRegistry()

    def fail(history: object) -> str:
        raise TimeoutError

    async def afail(history: object) -> str:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        derives(store=registry)(fail)(HISTORY)
    with pytest.raises(TimeoutError):
        await derives(store=registry)(afail)(HISTORY)
    with pytest.raises(TypeError, match="missing 1 required positional argument"):
        summarize()  # type: ignore[call-arg]
    assert (len(registry), running_summarizer()) == (0, None)


def test_a_running_function_cannot_format_an_earlier_summary() -> None:
    """A closure over it is caught at run time, where no argument shows it."""
    summary = summarize(HISTORY)

    @derives
    def extend(history: object) -> str:
        return f"{summary} and more"

    with pytest.raises(RewritePolicyError, match=r"while the summarizer .*extend runs"):
        extend(HISTORY)


def test_a_result_of_a_call_inside_is_handed_on() -> None:
    """A dispatcher over a summarizer, and summaries set side by side, are no summaries of summaries."""

    @derives
    def outer(parts: list[list[Any]]) -> str:
        return "\n".join(summarize(part) for part in parts)

    @derives
    def dispatch(history: list[Any]) -> str:
        return summarize(history)

    one, two = dispatch(HISTORY), outer([HISTORY, HISTORY])
    assert (type(one), len(marked_ids(one))) == (DerivedStr, 1)
    assert (type(two), len(marked_ids(two))) == (DerivedStr, 2)
    with pytest.raises(DerivedAgainError):
        outer([messages(two)])


@pytest.mark.parametrize(
    "thing",
    [summarizer(lambda spans: "x"), async_summarizer(print), "prompt", 3],
    ids=lambda t: type(t).__name__,  # type: ignore[arg-type]
)
def test_only_functions_that_are_no_summarizers_take_it(thing: Any) -> None:
    """At decoration, with what to do instead."""
    with pytest.raises(ProvenanceError, match="@derives was given a"):
        derives(thing)


def test_many_threads_register_every_call() -> None:
    """No id is given twice, and no call is lost."""
    registry = MemoryRegistry()
    function = derives(store=registry)(lambda n: f"summary number {n} of a long conversation")
    with ThreadPoolExecutor(8) as pool:
        results = list(pool.map(function, range(200)))
    assert len(registry) == 200
    assert len({marked_ids(text)[0] for text in results}) == 200
    for text in results:
        with pytest.raises(DerivedAgainError):
            function([text])


async def test_overlapping_calls_are_checked_each() -> None:
    """`asyncio.gather` and `to_thread` over the same function hide no call."""
    summary = await asummarize(HISTORY)
    inputs = [HISTORY, messages(summary), HISTORY, messages(summary)]
    outcomes = await asyncio.gather(*(asummarize(one) for one in inputs), return_exceptions=True)
    assert [type(one) for one in outcomes] == [DerivedStr, DerivedAgainError, DerivedStr, DerivedAgainError]
    threads = [asyncio.to_thread(summarize, one) for one in inputs]
    outcomes = await asyncio.gather(*threads, return_exceptions=True)
    assert [type(one) for one in outcomes] == [DerivedStr, DerivedAgainError, DerivedStr, DerivedAgainError]


def lines() -> Iterator[str]:
    return iter(["a"])


def test_an_iterator_that_is_no_generator_is_rejected() -> None:
    """It could not be marked without being changed into something else."""
    with pytest.raises(SummaryRejected, match="gave a list_iterator"):
        derives(lines)()
