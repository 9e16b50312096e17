"""The conditions: each is true of what its promise allows, and names what it is false of."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from ctxcontracts import (
    BrokenPromiseError,
    CtxContractsError,
    ObservedText,
    PinnedSpanError,
    Promise,
    ProvenanceError,
    RewritePolicyError,
    SummaryRejected,
    async_summarizer,
    expose,
    summarizer,
    user_text,
)
from ctxcontracts.contracts import predicates as p
from ctxcontracts.contracts.explanations import EXPLANATIONS
from ctxcontracts.contracts.violation import explained, violation
from ctxcontracts.spans.mark import mark
from tests.support.ledger import Ledger
from tests.support.spans import derived, observed

O1, O2, PINNED = observed("o1"), observed("o2"), observed("o3", pinned=True)
D1, D2 = derived("d1", "secret one", sources=("s:o1",)), derived("d2", "secret two", sources=("s:o1", "s:o2"))
BY, ABY = summarizer(lambda spans: "x"), async_summarizer(lambda spans: None)  # type: ignore[arg-type, return-value]
LEDGER = Ledger(rewritten={"s:o1": "s:d9"}, live=frozenset({"s:o1", "s:d1"}))
FRESH = Ledger()

HOLDS: list[tuple[Callable[..., bool], dict[str, Any]]] = [
    (p.all_observed, {"spans": O1}),
    (p.all_observed, {"spans": [O1, O2]}),
    (p.all_observed, {"spans": ()}),
    (p.all_observed, {"spans": {O1: 1}.keys()}),
    (p.all_derived, {"spans": (D1, D2)}),
    (p.all_spans, {"spans": [O1, D1]}),
    (p.at_least_one, {"spans": D1}),
    (p.none_repeated, {"spans": [O1, O2, D1]}),
    (p.none_repeated, {"spans": O1}),
    (p.none_repeated, {"spans": ["no span"]}),
    (p.none_pinned, {"spans": [O1, D1]}),
    (p.generation_at_most_one, {"spans": [O1, D1]}),
    (p.never_rewritten_before, {"self": LEDGER, "spans": [O2, D1]}),
    (p.text_is_observed, {"text": user_text("hi")}),
    (p.text_is_not_derived, {"text": "hi"}),
    (p.no_derived_in_messages, {"messages": [{"role": "user", "content": "hi"}]}),
    (p.no_derived_in_options, {"_KWARGS": {"limit": 3, "style": "terse"}}),
    (p.made_by_summarizer, {"by": BY}),
    (p.made_by_async_summarizer, {"by": ABY}),
    (p.may_be_rewritten, {"self": FRESH, "spans": [O1, O2]}),
    (p.may_be_rederived, {"spans": [D1, D2]}),
    (p.sources_not_empty, {"result": D1}),
    (p.sources_are, {"result": D1, "spans": O1}),
    (p.sources_are, {"result": D2, "spans": [O2, O1]}),
    (p.sources_cover, {"result": D2, "spans": [D1, D2]}),
    (p.smaller_than_sources, {"result": D1, "spans": [O1]}),
    (p.observed_as_given, {"result": O1, "text": user_text("hi")}),
    (p.rewritten_from, {"result": D1, "spans": O1}),
    (p.rederived_from, {"result": D2, "spans": [D1, D2]}),
    (p.none_live, {"self": LEDGER, "spans": [O2, D2]}),
    (p.is_a_summary, {"text": "The build was red."}),
]

P = Promise
FAILS: list[tuple[Callable[..., bool], dict[str, Any], type[CtxContractsError], Promise, str]] = [
    (p.all_observed, {"spans": D1}, RewritePolicyError, P.OBSERVED_ONLY, "f: spans is the DerivedSpan s:d1"),
    (p.all_observed, {"spans": [O1, D1]}, RewritePolicyError, P.OBSERVED_ONLY, "f: spans[1] is the DerivedSpan s:d1"),
    (p.all_observed, {"spans": [[O1]]}, RewritePolicyError, P.OBSERVED_ONLY, "f: spans[0] is a list"),
    (p.all_observed, {"spans": None}, RewritePolicyError, P.OBSERVED_ONLY, "f: spans is None"),
    (p.all_observed, {"spans": "secret"}, RewritePolicyError, P.OBSERVED_ONLY, "f: spans is a str"),
    (p.all_observed, {"spans": (s for s in [O1])}, RewritePolicyError, P.OBSERVED_ONLY, "f: spans is a generator"),
    (p.all_derived, {"spans": [D1, O1]}, RewritePolicyError, P.AUDITABLE, "f: spans[1] is the ObservedSpan s:o1"),
    (p.all_derived, {"spans": 3}, RewritePolicyError, P.AUDITABLE, "f: spans is a int"),
    (p.all_spans, {"spans": [O1, "secret"]}, ProvenanceError, P.PROVENANCE, "f: spans[1] is a str, not a span"),
    (p.at_least_one, {"spans": []}, RewritePolicyError, P.AUDITABLE, "f: spans is empty"),
    (
        p.none_repeated,
        {"spans": [O1, O2, O1]},
        RewritePolicyError,
        P.SINGLE_REWRITE,
        "spans[2] is s:o1, which spans[0]",
    ),
    (p.none_pinned, {"spans": PINNED}, PinnedSpanError, P.PINNED, "f: spans is s:o3, which is pinned"),
    (p.none_pinned, {"spans": [O1, PINNED]}, PinnedSpanError, P.PINNED, "f: spans[1] is s:o3, which is pinned"),
    (p.generation_at_most_one, {"spans": [O1, 3]}, RewritePolicyError, P.OBSERVED_ONLY, "f: spans[1] is a int"),
    (
        p.never_rewritten_before,
        {"self": LEDGER, "spans": [D1, O2, O1]},
        RewritePolicyError,
        P.SINGLE_REWRITE,
        "f: spans[2] is s:o1, which was rewritten into s:d9 already",
    ),
    (p.text_is_observed, {"text": "secret"}, ProvenanceError, P.PROVENANCE, "f: text is a str, not an ObservedText"),
    (
        p.text_is_observed,
        {"text": str.__new__(ObservedText, "secret")},
        ProvenanceError,
        P.PROVENANCE,
        "f: text is a ObservedText, not an ObservedText that a door made",
    ),
    (p.text_is_not_derived, {"text": expose(D1.text)}, RewritePolicyError, P.OBSERVED_ONLY, "f: text holds derived"),
    (p.text_is_not_derived, {"text": f"{mark('s:d1')} secret"}, RewritePolicyError, P.OBSERVED_ONLY, "f: text holds"),
    (
        p.no_derived_in_messages,
        {"messages": [{"content": expose(D1.text)}]},
        RewritePolicyError,
        P.OBSERVED_ONLY,
        "f: messages[0]['content'] holds derived text",
    ),
    (p.no_derived_in_options, {"_KWARGS": {"old": D1}}, RewritePolicyError, P.OBSERVED_ONLY, "f: old holds derived"),
    (p.made_by_summarizer, {"by": len}, ProvenanceError, P.OBSERVED_ONLY, "not made by @summarizer"),
    (p.made_by_summarizer, {"by": ABY}, ProvenanceError, P.OBSERVED_ONLY, "f: by is a AsyncSummarizer"),
    (p.made_by_async_summarizer, {"by": BY}, ProvenanceError, P.OBSERVED_ONLY, "not made by @async_summarizer"),
    (p.may_be_rewritten, {"self": FRESH, "spans": []}, RewritePolicyError, P.AUDITABLE, "f: spans is empty"),
    (p.may_be_rewritten, {"self": FRESH, "spans": [D1]}, RewritePolicyError, P.OBSERVED_ONLY, "f: spans[0] is the D"),
    (
        p.may_be_rewritten,
        {"self": FRESH, "spans": [O1, O1]},
        RewritePolicyError,
        P.SINGLE_REWRITE,
        "spans[1] is s:o1",
    ),
    (p.may_be_rewritten, {"self": FRESH, "spans": PINNED}, PinnedSpanError, P.PINNED, "f: spans is s:o3"),
    (p.may_be_rewritten, {"self": LEDGER, "spans": O1}, RewritePolicyError, P.SINGLE_REWRITE, "f: spans is s:o1"),
    (p.may_be_rederived, {"spans": []}, RewritePolicyError, P.AUDITABLE, "f: spans is empty"),
    (p.may_be_rederived, {"spans": O1}, RewritePolicyError, P.AUDITABLE, "f: spans is the ObservedSpan s:o1"),
    (p.may_be_rederived, {"spans": [D1, D1]}, RewritePolicyError, P.SINGLE_REWRITE, "f: spans[1] is s:d1"),
    (p.sources_not_empty, {"result": derived(sources=())}, BrokenPromiseError, P.AUDITABLE, "returned s:d1"),
    (p.sources_not_empty, {"result": "secret"}, BrokenPromiseError, P.AUDITABLE, "it returned a str"),
    (p.sources_are, {"result": D1, "spans": [O1, O2]}, BrokenPromiseError, P.AUDITABLE, "not the spans"),
    (p.sources_are, {"result": D2, "spans": O1}, BrokenPromiseError, P.AUDITABLE, "not the spans"),
    (p.sources_cover, {"result": D1, "spans": [D1, D2]}, BrokenPromiseError, P.AUDITABLE, "not those of the spans"),
    (
        p.smaller_than_sources,
        {"result": derived(tokens=10), "spans": O1},
        BrokenPromiseError,
        P.PROGRESS,
        "no smaller",
    ),
    (
        p.observed_as_given,
        {"result": D1, "text": user_text("a")},
        BrokenPromiseError,
        P.PROVENANCE,
        "origin and role",
    ),
    (p.observed_as_given, {"result": O1, "text": "a"}, BrokenPromiseError, P.PROVENANCE, "origin and role"),
    (p.rewritten_from, {"result": derived(sources=()), "spans": O1}, BrokenPromiseError, P.AUDITABLE, "no sources"),
    (p.rewritten_from, {"result": D2, "spans": O1}, BrokenPromiseError, P.AUDITABLE, "not the spans"),
    (p.rewritten_from, {"result": derived(tokens=99), "spans": O1}, BrokenPromiseError, P.PROGRESS, "no smaller"),
    (p.rederived_from, {"result": derived(sources=()), "spans": D1}, BrokenPromiseError, P.AUDITABLE, "no sources"),
    (p.rederived_from, {"result": D1, "spans": D2}, BrokenPromiseError, P.AUDITABLE, "not those of the spans"),
    (p.none_live, {"self": LEDGER, "spans": [O2, O1]}, BrokenPromiseError, P.PRUNE, "still in the window"),
    (p.is_a_summary, {"text": " \n"}, SummaryRejected, P.NO_FAILED_SUMMARY, "is empty, 2 characters long"),
    (p.is_a_summary, {"text": None}, SummaryRejected, P.NO_FAILED_SUMMARY, "no text: it is None"),
    (p.is_a_summary, {"text": "Error: secret"}, SummaryRejected, P.NO_FAILED_SUMMARY, "error or a refusal, 13 char"),
]


def name_of(value: object) -> str | None:
    return getattr(value, "__name__", None)


@pytest.mark.parametrize(("predicate", "arguments"), HOLDS, ids=name_of)
def test_a_condition_holds_of_what_its_promise_allows(
    predicate: Callable[..., bool], arguments: dict[str, Any]
) -> None:
    """One span or a collection of spans, by the names that icontract binds."""
    assert predicate(**arguments) is True


@pytest.mark.parametrize(("predicate", "arguments", "kind", "promise", "message"), FAILS, ids=name_of)
def test_a_condition_that_fails_says_what_where_and_what_instead(
    predicate: Callable[..., bool],
    arguments: dict[str, Any],
    kind: type[CtxContractsError],
    promise: Promise,
    message: str,
) -> None:
    """In our errors, with the promise, and without any text of a span."""
    assert predicate(**arguments) is False
    error = explained(predicate, "f", **arguments)
    assert type(error) is kind
    assert error.promise is promise
    assert message in error.happened
    assert error.instead
    assert "secret" not in str(error)


def test_every_condition_is_tested_both_ways_and_has_its_words() -> None:
    """A new condition cannot be forgotten in the tables."""
    defined = {
        value
        for name, value in vars(p).items()
        if inspect.isfunction(value) and value.__module__ == p.__name__ and not name.startswith("_")
    }
    assert {row[0] for row in HOLDS} == defined
    assert {row[0] for row in FAILS} == defined
    combined = {p.may_be_rewritten, p.may_be_rederived, p.rewritten_from, p.rederived_from}
    assert set(EXPLANATIONS) == defined - combined


def test_conditions_of_users_are_explained_by_their_names() -> None:
    """A condition that the library does not know gets its name into the error."""

    def all_short(spans: list[str]) -> bool:
        return not any(spans)

    error = violation(all_short)(spans=["secret"])
    assert type(error) is RewritePolicyError
    assert error.happened == "the condition all_short does not hold"
    assert "secret" not in str(error)
    assert list(inspect.signature(violation(all_short)).parameters) == ["spans"]

    class Named:
        def __call__(self, spans: object) -> bool:
            return False

    assert "condition Named" in violation(Named(), call="f(x)")(spans=1).happened


def test_a_race_lost_by_an_explanation_still_ends_in_an_error() -> None:
    """The list may have changed between the check and the words for it."""
    assert isinstance(explained(p.may_be_rewritten, "f", self=FRESH, spans=[O1]), RewritePolicyError)
    assert "a span was rewritten" in explained(p.never_rewritten_before, "f", self=FRESH, spans=[O1]).happened
    assert "an argument holds" in explained(p.no_derived_in_options, "f", _KWARGS=None).happened
