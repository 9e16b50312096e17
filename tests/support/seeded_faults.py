"""Six faults, each put into the real code, and whether the stateful test notices.

    python -m tests.support.seeded_faults "token drift"

Each stands for a kind of mistake that buffers of this sort have had: the guard that is forgotten, the pointer that is
dropped, the key that is no identity, the running sum that is wrong, the order that is lost, the number that comes
twice.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from typing import Any
from unittest import mock

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis.stateful import run_state_machine_as_test

from ctxcontracts.buffer import attempt, buffer, claim, plan, window
from ctxcontracts.buffer.claim import Claim
from ctxcontracts.buffer.window import Change, Window
from ctxcontracts.coldstore import JournalEntry, MemoryStore, Observed, Pruned, Rewritten
from ctxcontracts.contracts import CONTRACTS_ON
from ctxcontracts.contracts.kinds import each
from ctxcontracts.spans import summarizer
from ctxcontracts.spans.record import DerivedRecord
from ctxcontracts.spans.text import DerivedStr
from tests.support.buffer_machine import BufferMachine


def generation_check_gone() -> AbstractContextManager[object]:
    """A rewrite takes whatever is live, and the summarizer does not look either."""

    def claim_anything(state: Window, spans: Any, call: str) -> Claim:
        spans = each(spans)
        if all(isinstance(span, claim.ObservedSpan) for span in spans):
            return claim.claim_observed(state, spans, call)
        taken = tuple(
            sorted({span.id: span for span in spans if span.id in state.slot_of}.values(), key=_slot(state))
        )
        ids: Any = tuple(span.id for span in taken)
        return Claim(claim._next_id(state), taken, ids, ids)

    patches = ExitStack()
    patches.enter_context(mock.patch.object(buffer, "claim_observed", claim_anything))
    patches.enter_context(mock.patch.object(summarizer_module(), "checked_spans", lambda _, spans: tuple(spans)))
    return patches


def _slot(state: Window) -> Callable[[Any], int]:
    return lambda span: state.slot_of[span.id]


def summarizer_module() -> Any:
    return sys.modules[summarizer.__module__]


def source_id_lost() -> AbstractContextManager[object]:
    """Of several sources, only the first is kept."""

    def forgetful(span_id: Any, text: DerivedStr, digest: str, sources: Any, tokens: int, by: str) -> DerivedRecord:
        return DerivedRecord(span_id, text, digest, sources[:1], tokens, by)

    return mock.patch.object(attempt, "DerivedRecord", forgetful)


def store_keyed_by_index() -> AbstractContextManager[object]:
    """Originals are kept under their place in the window, which others take later."""
    append = MemoryStore.append

    def append_by_index(store: Any, session: str, entries: Sequence[JournalEntry], *, expected: int) -> int:
        length = append(store, session, entries, expected=expected)
        for entry in entries:
            if isinstance(entry, Observed):
                store.live = getattr(store, "live", 0) + 1
                store._records[f"{session}:o{store.live}"] = store._records.pop(entry.record.id)
            elif isinstance(entry, Pruned):
                store.live -= len(entry.ids)
        return length

    return mock.patch.object(MemoryStore, "append", append_by_index)


def token_drift() -> AbstractContextManager[object]:
    """A rewrite forgets to count its own summary."""
    replacing = plan._replacing

    def drifting(state: Window, removed: Any, record: DerivedRecord) -> Change:
        change = replacing(state, removed, record)
        return change._replace(tokens=change.tokens - record.tokens)

    return mock.patch.object(plan, "_replacing", drifting)


def order_broken() -> AbstractContextManager[object]:
    """A summary goes to the end of the window."""
    apply = Window.apply

    def apply_at_the_end(state: Window, change: Change) -> None:
        apply(state, change)
        if isinstance(change.entry, Rewritten):
            state.slots[change.slot] = state.slots.pop(change.slot)

    return mock.patch.object(Window, "apply", apply_at_the_end)


def id_reused() -> AbstractContextManager[object]:
    """The next number is counted from what is live, and the store overwrites."""
    observe, append = plan.plan_observe, MemoryStore.append

    def append_over(store: Any, session: str, entries: Sequence[JournalEntry], *, expected: int) -> int:
        for entry in entries:
            if isinstance(entry, Observed):
                store._records.pop(entry.record.id, None)
        return append(store, session, entries, expected=expected)

    def observe_again(state: Window, arrival: plan.Arrival, ahead: int = 0) -> Change:
        state.last_observed = max(state.slots, default=0)
        return observe(state, arrival, ahead)

    patches = ExitStack()
    patches.enter_context(mock.patch.object(buffer, "plan_observe", observe_again))
    patches.enter_context(mock.patch.object(plan, "plan_observe", observe_again))
    patches.enter_context(mock.patch.object(MemoryStore, "append", append_over))
    return patches


FAULTS: dict[str, Callable[[], AbstractContextManager[object]]] = {
    "none": nullcontext,
    "generation check gone": generation_check_gone,
    "source id lost": source_id_lost,
    "store keyed by index": store_keyed_by_index,
    "token drift": token_drift,
    "order broken": order_broken,
    "id reused": id_reused,
}


def verdict(fault: str) -> str:
    """`caught` with the kind of failure, or `not caught`."""
    assert not CONTRACTS_ON, "run with CTXCONTRACTS_CONTRACTS=off"
    assert window.Window is Window
    quick = settings(
        max_examples=100,
        stateful_step_count=20,
        deadline=None,
        derandomize=True,
        database=None,
        report_multiple_bugs=False,
        suppress_health_check=list(HealthCheck),  # only what the machine asserts counts as caught
        phases=[Phase.generate],  # shrinking is for readers
    )
    with FAULTS[fault]():
        try:
            run_state_machine_as_test(BufferMachine, settings=quick)
        except (Exception, pytest.fail.Exception) as error:
            return f"caught: {type(error).__name__}"
    return "not caught"


if __name__ == "__main__":
    print(verdict(sys.argv[1]))
