"""Measuring texts: the guard on what is measured, and on the counter."""

from __future__ import annotations

import pytest

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.buffer.meter import Meter
from ctxcontracts.errors import CtxContractsError, ProvenanceError
from ctxcontracts.spans import ObservedText, Role, estimate_tokens, user_text
from tests.support.buffers import WORDS, ids, shrink


def test_a_text_is_measured_with_what_its_door_gave() -> None:
    """Origin and role come from the door alone."""
    arrival = Meter(estimate_tokens).arrival(user_text("hello"), "call", pinned=True)
    assert (arrival.text, arrival.origin, arrival.role, arrival.tokens, arrival.pinned) == (
        "hello",
        "user",
        Role.USER,
        2,
        True,
    )
    assert type(arrival.text) is str


@pytest.mark.parametrize("text", ["plain", str.__new__(ObservedText, "forged")], ids=["plain", "forged"])
def test_the_guard_needs_no_contract(text: object) -> None:
    """What no door made is refused here, whatever the decorators do."""
    with pytest.raises(ProvenanceError, match="call: text is a"):
        Meter(estimate_tokens).arrival(text, "call", pinned=False)


def test_a_counter_must_count_summaries_too() -> None:
    """A negative size would pass as progress."""
    buffer = ContextBuffer(count_tokens=lambda text: -1 if text.startswith("[[") else len(text))
    span = buffer.observe(user_text(WORDS))
    with pytest.raises(CtxContractsError, match="gave -1"):
        buffer.rewrite(span, shrink)
    assert ids(buffer) == ["o1"]
