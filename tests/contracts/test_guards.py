"""Guards: the same conditions in plain code, which hold whatever is switched off."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from ctxcontracts import (
    CtxContractsError,
    PinnedSpanError,
    ProvenanceError,
    Rejection,
    RewritePolicyError,
    SummaryRejected,
    async_summarizer,
    summarizer,
    user_text,
)
from ctxcontracts.contracts import guards as g
from tests.support.ledger import Ledger
from tests.support.spans import derived, observed

O1, O2, D1, D2 = observed("o1"), observed("o2"), derived("d1"), derived("d2")
BY, ABY = summarizer(lambda spans: "x"), async_summarizer(lambda spans: None)  # type: ignore[arg-type, return-value]
FRESH = Ledger()


def rewritable(spans: object, *, call: str) -> object:
    return g.guard_rewritable(Ledger(rewritten={"s:o9": "s:d9"}), spans, call=call)


PASSES: list[tuple[Callable[..., object], object, object]] = [
    (g.guard_observed, O1, (O1,)),
    (g.guard_observed, [O1, O2], (O1, O2)),
    (g.guard_derived, D1, (D1,)),
    (g.guard_derived, [D1, D2], (D1, D2)),
    (g.guard_spans, O1, (O1,)),
    (g.guard_spans, D1, (D1,)),
    (g.guard_spans, [D1, O1], (D1, O1)),
    (rewritable, O1, (O1,)),
    (rewritable, [O1, O2], (O1, O2)),
    (g.guard_rederivable, D1, (D1,)),
    (g.guard_rederivable, {D1: 1}, (D1,)),
    (g.guard_text, user_text("hi"), "hi"),
    (g.guard_summarizer, BY, BY),
    (g.guard_async_summarizer, ABY, ABY),
    (g.guard_summary, "The build was red.", "The build was red."),
]
REFUSES: list[tuple[Callable[..., object], object, type[CtxContractsError], str]] = [
    (g.guard_observed, D1, RewritePolicyError, "f: spans is the DerivedSpan s:d1"),
    (g.guard_observed, [O1, D1], RewritePolicyError, "f: spans[1] is the DerivedSpan s:d1"),
    (g.guard_derived, O1, RewritePolicyError, "f: spans is the ObservedSpan s:o1"),
    (g.guard_spans, [O1, "x"], ProvenanceError, "f: spans[1] is a str"),
    (rewritable, D1, RewritePolicyError, "f: spans is the DerivedSpan s:d1"),
    (rewritable, [], RewritePolicyError, "f: spans is empty"),
    (rewritable, [O1, O1], RewritePolicyError, "f: spans[1] is s:o1, which spans[0] is already"),
    (rewritable, observed("o9"), RewritePolicyError, "f: spans is s:o9, which was rewritten into s:d9"),
    (rewritable, observed("o3", pinned=True), PinnedSpanError, "f: spans is s:o3, which is pinned"),
    (g.guard_rederivable, O1, RewritePolicyError, "f: spans is the ObservedSpan s:o1"),
    (g.guard_text, "x", ProvenanceError, "f: text is a str"),
    (g.guard_summarizer, ABY, ProvenanceError, "f: by is a AsyncSummarizer, not made by @summarizer"),
    (g.guard_async_summarizer, len, ProvenanceError, "not made by @async_summarizer"),
    (g.guard_summary, "", SummaryRejected, "f: the summary is empty"),
]


def name_of(value: object) -> str | None:
    return getattr(value, "__name__", None)


@pytest.mark.parametrize(("guard", "value", "given"), PASSES, ids=name_of)
def test_a_guard_gives_what_it_let_pass(guard: Callable[..., object], value: object, given: object) -> None:
    """Spans come as a tuple, which nobody changes afterwards."""
    assert guard(value, call="f") == given


@pytest.mark.parametrize(("guard", "value", "kind", "message"), REFUSES, ids=name_of)
def test_a_guard_raises_the_error_of_its_condition(
    guard: Callable[..., object], value: object, kind: type[CtxContractsError], message: str
) -> None:
    """Word for word what the contract says."""
    with pytest.raises(kind) as caught:
        guard(value, call="f")
    assert message in caught.value.happened


def test_a_rejected_summary_tells_why_to_programs() -> None:
    """One that tries again needs the reason, not the words."""
    with pytest.raises(SummaryRejected) as caught:
        g.guard_summary("Error: overloaded", call="f")
    assert caught.value.reason is Rejection.ERROR_TEXT


def test_a_guard_judges_what_it_gives() -> None:
    """A list that changes between two looks at it cannot slip a derived span past the guard."""

    class Shifting(list[Any]):
        looks = 0

        def __iter__(self) -> Any:
            self.looks += 1
            return iter([O1] if self.looks == 1 else [D1])

        def __len__(self) -> int:
            return 1

    given = g.guard_rewritable(FRESH, Shifting(), call="f")
    assert given == (O1,)
