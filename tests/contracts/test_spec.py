"""Contracts over functions, those of users too: readable, in our errors, and switched by one variable."""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Sequence
from typing import Any

import icontract
import pytest

from ctxcontracts import BrokenPromiseError, DerivedSpan, ObservedSpan, RewritePolicyError, summarizer
from ctxcontracts.contracts import (
    all_observed,
    at_least_one,
    ensure,
    none_pinned,
    none_repeated,
    require,
    snapshot,
    sources_not_empty,
    spec,
    violation,
)
from tests.support.spans import derived, observed

O1, D1 = observed("o1"), derived("d1", "secret")


@require(all_observed, call="shorten(spans)")
def shorten(spans: Sequence[ObservedSpan], limit: int = 3, *, loud: bool = False) -> str:
    """Shorten."""
    return f"{len(spans)} {limit} {loud}"


@require(all_observed, call="ashorten(spans)")
async def ashorten(spans: Sequence[ObservedSpan]) -> str:
    return f"{len(spans)}"


class Agent:
    @require(all_observed, call="agent.compact(spans)")
    def compact(self, spans: Sequence[ObservedSpan]) -> str:
        return f"{len(spans)}"

    @icontract.require(all_observed, error=violation(all_observed, call="agent.plain(spans)"))
    async def plain(self, spans: Sequence[ObservedSpan]) -> str:
        return f"{len(spans)}"


@icontract.require(none_pinned, error=violation(none_pinned))
@icontract.require(none_repeated, error=violation(none_repeated))
@icontract.require(at_least_one, error=violation(at_least_one))
@icontract.require(all_observed, error=violation(all_observed))
def longest(spans: Sequence[ObservedSpan]) -> ObservedSpan:
    return max(spans, key=lambda span: span.tokens)


on_only = pytest.mark.skipif(not spec.CONTRACTS_ON, reason="contracts are off in this run")


@on_only
@pytest.mark.parametrize("call", [shorten, ashorten, Agent().compact, Agent().plain], ids=lambda f: f.__qualname__)
async def test_a_contract_refuses_over_functions_of_every_kind(call: Callable[..., Any]) -> None:
    """Sync and async, function and method, by our decorator and by plain icontract."""
    result = call([O1])
    assert (await result if inspect.isawaitable(result) else result).startswith("1")
    with pytest.raises(RewritePolicyError, match=r"\(spans\): spans\[1\] is the DerivedSpan s:d1") as caught:
        await call([O1, D1])
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("spans", "message"),
    [([O1, D1], "DerivedSpan s:d1"), ([], "empty"), ([O1, O1], "already"), ([observed(pinned=True)], "pinned")],
    ids=["derived", "empty", "repeated", "pinned"],
)
def test_conditions_stack_over_a_function_of_a_user(spans: list[Any], message: str) -> None:
    """Each says its own words."""
    with pytest.raises(RewritePolicyError, match=message):
        longest(spans)
    assert longest([O1]) is O1


@on_only
def test_a_broken_postcondition_blames_the_function() -> None:
    """The caller did nothing wrong."""

    @ensure(sources_not_empty, call="make()")
    def make() -> DerivedSpan:
        return derived(sources=())

    with pytest.raises(BrokenPromiseError, match=r"make\(\): the result has no sources; it returned s:d1"):
        make()


def count_of(spans: list[Any]) -> int:
    return len(spans)


def grew_by_one(OLD: Any, spans: list[Any]) -> bool:
    return len(spans) == OLD.count + 1


@on_only
def test_a_snapshot_gives_a_condition_what_was_before() -> None:
    """As `OLD.name`, over a value that was read before the call."""

    @snapshot(count_of, name="count")
    @ensure(grew_by_one, call="append(spans)")
    def append(spans: list[Any], times: int) -> None:
        spans.extend([O1] * times)

    append([], 1)
    with pytest.raises(RewritePolicyError, match="grew_by_one does not hold"):
        append([], 2)


@on_only
def test_a_contract_goes_under_a_summarizer() -> None:
    """A user's condition is checked when the buffer runs the function."""

    @summarizer
    @require(at_least_one, call="shrink(spans)")
    def shrink(spans: Sequence[ObservedSpan]) -> str:
        return "short"

    assert shrink([O1]).expose() == "short"
    with pytest.raises(RewritePolicyError, match=r"shrink\(spans\): spans is empty"):
        shrink([])


def test_a_contract_keeps_name_signature_and_documentation() -> None:
    """Frameworks that inspect a tool see the function."""
    assert (shorten.__name__, shorten.__doc__) == ("shorten", "Shorten.")
    assert list(inspect.signature(shorten).parameters) == ["spans", "limit", "loud"]
    assert inspect.iscoroutinefunction(ashorten)


@pytest.mark.parametrize(
    ("value", "on"),
    [("off", False), ("OFF", False), (" 0 ", False), ("false", False), ("on", True), ("1", True), ("", True)],
)
def test_one_variable_switches_the_contracts(value: str, on: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is read once, at import; anything but off, 0 and false is on."""
    monkeypatch.setenv(spec.SWITCH, value)
    try:
        switched = importlib.reload(spec)
        assert switched.CONTRACTS_ON is (on and __debug__)
        for decorate in (
            switched.require(all_observed),
            switched.ensure(all_observed),
            switched.snapshot(count_of, name="n"),
        ):
            if not on:
                assert decorate(count_of) is count_of
    finally:
        monkeypatch.undo()
        importlib.reload(spec)
