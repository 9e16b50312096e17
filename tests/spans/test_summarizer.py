"""Summarizers: functions of every kind that turn observed spans into derived text, and nothing else into it."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ctxcontracts import (
    AsyncSummarizer,
    DerivedStr,
    DerivedText,
    ObservedSpan,
    Promise,
    ProvenanceError,
    Rejection,
    RewritePolicyError,
    Summarizer,
    SummaryRejected,
    async_summarizer,
    expose,
    summarizer,
)
from ctxcontracts.spans.mark import mark
from tests.support.spans import derived, observed

SPANS = [observed("o1"), observed("o2")]


def count(spans: Sequence[ObservedSpan], unit: str = "spans") -> str:
    """Count the spans."""
    return f"{len(spans)} {unit}"


async def acount(spans: Sequence[ObservedSpan], unit: str = "spans") -> str:
    return f"{len(spans)} {unit}"


class Counter:
    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.attribute = summarizer(self.bound)
        self.async_attribute = async_summarizer(self.abound)

    @summarizer
    def method(self, spans: Sequence[ObservedSpan], end: str = "") -> str:
        return f"{len(spans)} {self.unit}{end}"

    @async_summarizer
    async def amethod(self, spans: Sequence[ObservedSpan], end: str = "") -> str:
        return f"{len(spans)} {self.unit}{end}"

    @summarizer
    @staticmethod
    def static(spans: Sequence[ObservedSpan]) -> str:
        return f"{len(spans)} static"

    @staticmethod
    @summarizer
    def static_outside(spans: Sequence[ObservedSpan]) -> str:
        return f"{len(spans)} static"

    @summarizer  # type: ignore[call-overload]
    @classmethod
    def of_class(cls, spans: Sequence[ObservedSpan]) -> str:
        return f"{len(spans)} {cls.__name__}"

    @async_summarizer  # type: ignore[call-overload]
    @classmethod
    async def aof_class(cls, spans: Sequence[ObservedSpan]) -> str:
        return f"{len(spans)} {cls.__name__}"

    def bound(self, spans: Sequence[ObservedSpan]) -> str:
        return f"{len(spans)} {self.unit}"

    async def abound(self, spans: Sequence[ObservedSpan]) -> str:
        return f"{len(spans)} {self.unit}"

    def __call__(self, spans: Sequence[ObservedSpan]) -> str:
        return f"{len(spans)} {self.unit}"


class AsyncCounter:
    async def __call__(self, spans: Sequence[ObservedSpan]) -> str:
        return f"{len(spans)} later"


counter: Any = Counter("turns")
SYNC: dict[str, tuple[Callable[..., DerivedText], str]] = {
    "function": (summarizer(count), "2 spans"),
    "lambda": (summarizer(lambda spans: f"{len(spans)} spans"), "2 spans"),
    "partial": (summarizer(functools.partial(count, unit="x")), "2 x"),
    "method": (counter.method, "2 turns"),
    "method through the class": (functools.partial(Counter.method.__get__(counter, Counter)), "2 turns"),
    "bound method": (counter.attribute, "2 turns"),
    "static": (counter.static, "2 static"),
    "static through the class": (Counter.static, "2 static"),
    "static outside": (Counter.static_outside, "2 static"),
    "class": (counter.of_class, "2 Counter"),
    "class through the class": (Counter.of_class, "2 Counter"),
    "callable object": (summarizer(counter), "2 turns"),
}
ASYNC: dict[str, tuple[Callable[..., Any], str]] = {
    "function": (async_summarizer(acount), "2 spans"),
    "method": (counter.amethod, "2 turns"),
    "class": (Counter.aof_class, "2 Counter"),
    "bound method": (counter.async_attribute, "2 turns"),
    "callable object": (async_summarizer(AsyncCounter()), "2 later"),
    "partial": (async_summarizer(functools.partial(acount, unit="x")), "2 x"),
}


@pytest.mark.parametrize(("by", "text"), SYNC.values(), ids=SYNC)
def test_functions_of_every_kind_can_be_summarizers(by: Callable[..., DerivedText], text: str) -> None:
    """They give derived text, and read the spans as a tuple."""
    assert expose(by(SPANS)) == text
    assert expose(by(iter(SPANS))) == text


@pytest.mark.parametrize(("by", "text"), ASYNC.values(), ids=ASYNC)
async def test_async_functions_of_every_kind_can_be_summarizers(by: Callable[..., Any], text: str) -> None:
    """They are awaited."""
    assert expose(await by(SPANS)) == text


def test_options_are_passed_through() -> None:
    """By place and by name, on functions and methods."""
    assert expose(summarizer(count)(SPANS, "a")) == "2 a"
    assert expose(summarizer(count)(SPANS, unit="b")) == "2 b"
    assert expose(counter.method(SPANS, end="!")) == "2 turns!"


def test_a_summarizer_keeps_what_a_function_is_known_by() -> None:
    """Its name stands in errors and in journals, its documentation in `help`."""
    by = summarizer(count)
    assert (by.__name__, by.__doc__) == ("count", "Count the spans.")
    assert repr(by) == "<Summarizer count>"
    assert repr(async_summarizer(acount)) == "<AsyncSummarizer acount>"
    assert counter.method.__name__ == "Counter.method"
    assert summarizer(functools.partial(count, unit="x")).__name__ == "count"
    assert summarizer(counter).__name__ == "Counter"
    assert summarizer(functools.partial(count)).__reduce__() == "count"
    assert isinstance(counter.method, Summarizer)
    assert isinstance(Counter.method, Summarizer)
    assert isinstance(counter.amethod, AsyncSummarizer)


WRONG_SPANS: dict[str, tuple[Any, str]] = {
    "a derived span": ([observed(), derived()], r"spans\[1\] is a DerivedSpan"),
    "a text": ("secret", r"spans\[0\] is a str"),
    "a dict": ([{"role": "user"}], r"spans\[0\] is a dict"),
    "one bare span": (observed(), r"spans is a ObservedSpan, not a sequence"),
    "nothing": (None, r"spans is a NoneType"),
}


@pytest.mark.parametrize(("spans", "message"), WRONG_SPANS.values(), ids=WRONG_SPANS)
async def test_a_summarizer_reads_observed_spans_only(spans: Any, message: str) -> None:
    """Called directly too, and the error names what came and where."""
    ran: list[object] = []
    for by in (summarizer(lambda spans: ran.append(spans) or "x"), async_summarizer(acount)):  # type: ignore[func-returns-value]
        with pytest.raises(RewritePolicyError, match=message) as caught:
            await by(spans)  # type: ignore[misc]
        assert caught.value.promise is Promise.OBSERVED_ONLY
    assert not ran


SECRET = expose(derived(text="secret").text)


@pytest.mark.parametrize(
    ("args", "kwargs", "where"),
    [
        ((SECRET,), {}, "option 1 holds"),
        ((), {"unit": SECRET}, "unit holds"),
        ((), {"unit": derived().text}, "unit holds"),
        ((), {"unit": [{"old": derived()}]}, r"unit\[0\]\['old'\] holds"),
        ((), {"unit": f"before: {mark('s:d1')} secret"}, "unit holds"),
    ],
    ids=["exposed by place", "exposed by name", "derived text", "a span inside", "marked"],
)
async def test_no_option_of_a_summarizer_holds_derived_text(
    args: tuple[Any, ...], kwargs: dict[str, Any], where: str
) -> None:
    """`previous=summary` would make a summary of a summary."""
    for by in (summarizer(count), async_summarizer(acount)):
        with pytest.raises(RewritePolicyError, match=where) as caught:
            await by(SPANS, *args, **kwargs)  # type: ignore[misc]
        assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("result", "reason"),
    [
        (None, Rejection.NOT_TEXT),
        (3, Rejection.NOT_TEXT),
        (b"x", Rejection.NOT_TEXT),
        (derived().text, Rejection.CARRIES_DERIVED),
        (DerivedStr("secret"), Rejection.CARRIES_DERIVED),
        (f"{mark('s:d1')} secret", Rejection.CARRIES_DERIVED),
    ],
    ids=["None", "int", "bytes", "derived text", "exposed", "marked"],
)
async def test_a_summary_is_a_new_text(result: Any, reason: Rejection) -> None:
    """What is no `str`, or was derived before, is rejected with its reason."""

    async def later(spans: object) -> Any:
        return result

    for by in (summarizer(lambda spans: result), async_summarizer(later)):
        with pytest.raises(SummaryRejected) as caught:
            await by(SPANS)  # type: ignore[misc]
        assert caught.value.reason is reason
        assert "secret" not in str(caught.value)


def test_a_coroutine_that_came_instead_of_a_text_is_closed() -> None:
    """No warning about a coroutine that was never awaited hides the error."""
    by = summarizer(lambda spans: acount(spans))  # type: ignore[arg-type, return-value]  # noqa: PLW0108
    with pytest.raises(SummaryRejected, match="returned a coroutine"):
        by(SPANS)


async def test_what_a_summarizer_raises_passes_through() -> None:
    """A model that fails is the caller's to handle."""

    def fail(spans: object) -> str:
        raise TimeoutError

    async def afail(spans: object) -> str:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        summarizer(fail)(SPANS)
    with pytest.raises(TimeoutError):
        await async_summarizer(afail)(SPANS)


@pytest.mark.parametrize(
    "function",
    [acount, AsyncCounter(), functools.partial(acount), staticmethod(acount)],
    ids=lambda f: type(f).__name__,
)
def test_a_sync_summarizer_refuses_an_async_function(function: Any) -> None:
    """At decoration, with the name of the right decorator."""
    with pytest.raises(ProvenanceError, match=r"which is async\n.*@async_summarizer"):
        summarizer(function)


async def test_an_async_summarizer_refuses_a_function_that_is_not() -> None:
    """At its first call, since a plain function may return an awaitable."""
    with pytest.raises(ProvenanceError, match=r"count, which is not async\n.*use @summarizer"):
        await async_summarizer(count)(SPANS)  # type: ignore[arg-type]


@pytest.mark.parametrize("decorator", [summarizer, async_summarizer], ids=["sync", "async"])
def test_what_cannot_be_called_is_no_summarizer(decorator: Any) -> None:
    """A prompt in place of a function is noticed at once."""
    with pytest.raises(ProvenanceError, match="was given a str, which cannot be called"):
        decorator("Summarize this")


def test_a_callable_object_on_a_class_is_not_bound() -> None:
    """It has no `self` to take, as with functions that are no descriptors."""

    class Agent:
        by = summarizer(Counter("turns"))

    assert expose(Agent().by(SPANS)) == "2 turns"
