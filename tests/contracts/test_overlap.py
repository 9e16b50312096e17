"""Where calls overlap icontract skips checks. The guards do not, which is why they are the safety."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import icontract
import pytest

from ctxcontracts import ObservedSpan, RewritePolicyError
from ctxcontracts.contracts import all_observed, violation
from ctxcontracts.contracts.guards import guard_observed
from tests.support.spans import derived, observed

O1, D1 = observed("o1"), derived("d1")

contract_alone = icontract.require(all_observed, error=violation(all_observed), enabled=True)


@contract_alone
async def trusting(spans: Sequence[ObservedSpan]) -> int:
    await asyncio.sleep(0.01)
    return len(spans)


@contract_alone
async def guarded(spans: Sequence[ObservedSpan]) -> int:
    taken = guard_observed(spans, call="guarded(spans)")
    await asyncio.sleep(0.01)
    return len(taken)


@contract_alone
def guarded_in_thread(spans: Sequence[ObservedSpan]) -> int:
    return len(guard_observed(spans, call="guarded_in_thread(spans)"))


async def test_a_contract_alone_misses_an_overlapping_call() -> None:
    """After a call in the parent context, the second of two gathered ones goes unchecked.

    The day that icontract closes this hole the test fails, and the guards can be thought about again.
    """
    await trusting([O1])
    outcomes = await asyncio.gather(trusting([O1]), trusting([D1]), return_exceptions=True)  # type: ignore[list-item]
    assert outcomes == [1, 1]


async def test_a_guard_refuses_in_overlapping_calls() -> None:
    """Tasks and threads, whoever else runs the same function."""
    await guarded([O1])
    calls = [guarded([O1]), guarded([D1]), guarded([O1]), guarded([D1])]  # type: ignore[list-item]
    outcomes = await asyncio.gather(*calls, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [int, RewritePolicyError, int, RewritePolicyError]

    guarded_in_thread([O1])
    threads = [asyncio.to_thread(guarded_in_thread, spans) for spans in ([O1], [D1], [D1])]  # type: ignore[list-item]
    outcomes = await asyncio.gather(*threads, return_exceptions=True)
    assert [type(outcome) for outcome in outcomes] == [int, RewritePolicyError, RewritePolicyError]


def test_without_a_guard_the_contract_itself_works() -> None:
    """One call at a time is checked: the hole is the overlap, not the condition."""
    with pytest.raises(RewritePolicyError):
        asyncio.run(trusting([D1]))  # type: ignore[list-item]
