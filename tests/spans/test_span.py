"""Spans: two final classes without a common base."""

from __future__ import annotations

import pytest

from ctxcontracts import Provenance, Role, is_derived, is_observed, transcript, user_text
from ctxcontracts.spans.mark import mark, marked_ids
from ctxcontracts.spans.record import digest_of
from ctxcontracts.spans.span import record_of_derived, record_of_observed
from ctxcontracts.spans.tokens import estimate_tokens
from tests.support.spans import derived, observed


def test_an_observed_span_tells_where_it_comes_from() -> None:
    """Everything but the text is metadata; the text is observed text again."""
    span = observed("o7", "hello", pinned=True, tokens=2, informed_by=("s:d1",))
    assert (span.id, span.text, span.digest) == ("s:o7", "hello", digest_of("hello"))
    assert (span.origin, span.role, span.tokens, span.pinned) == ("user", Role.USER, 2, True)
    assert (span.informed_by, span.generation, span.provenance) == (("s:d1",), 0, Provenance.OBSERVED)
    assert span.text.origin == "user"
    assert span.text.role is Role.USER
    assert repr(span) == "<ObservedSpan s:o7 from user, 5 characters, 2 tokens>"


def test_a_derived_span_tells_what_it_was_made_from() -> None:
    """Its sources are ids of originals, and its text is derived."""
    span = derived("d2", "short", sources=("s:o1", "s:o2"), tokens=4)
    assert (span.id, span.digest, span.sources) == ("s:d2", digest_of("short"), ("s:o1", "s:o2"))
    assert (span.summarizer, span.tokens, span.pinned) == ("shrink", 4, False)
    assert (span.generation, span.provenance) == (1, Provenance.DERIVED)
    assert span.text.expose() == "short"
    assert repr(span) == "<DerivedSpan s:d2 of 2 sources by shrink, 5 characters, 4 tokens>"


def test_spans_are_equal_by_id_and_digest() -> None:
    """The same span read twice is one; the same id over another text is not."""
    assert observed("o1", "a") == observed("o1", "a")
    assert observed("o1", "a") != observed("o1", "b")
    assert observed("o1", "a") != observed("o2", "a")
    assert derived("d1", "a") == derived("d1", "a")
    assert derived("d1", "a") != derived("d1", "b")
    assert observed() != derived()
    assert derived() != observed()
    assert len({observed(), observed(), derived(), derived()}) == 2


def test_the_kind_of_a_span_can_be_asked() -> None:
    """Both questions narrow the type for checkers."""
    assert (is_observed(observed()), is_observed(derived())) == (True, False)
    assert (is_derived(observed()), is_derived(derived())) == (False, True)


def test_the_record_of_a_span_shows_no_text() -> None:
    """Records are what stores log about."""
    assert repr(record_of_observed(observed("o1", "hello"))) == "<ObservedRecord s:o1 from user, 5 characters>"
    assert repr(record_of_derived(derived("d1", "hello"))) == "<DerivedRecord s:d1 of 1 sources, 5 characters>"


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        ("plain", ()),
        (f"{mark('s:d1')} a, {mark('s:d2')} b", ("s:d1", "s:d2")),
        ("[[derived:s:d1 and then the text of a user", ("s:d1",)),
        ("[[derived:" + "x" * 300, ("x" * 40,)),
        ("[[derived:", ("",)),
        ("[[derived:s:d1\nprivate]]", ("s:d1",)),
        ("[[derived:a secret of a user]] x", ("a",)),
    ],
    ids=["none", "two", "cut off", "no end", "nothing behind", "end on a later line", "no id at all"],
)
def test_marks_are_found_wherever_they_stand(text: str, ids: tuple[str, ...]) -> None:
    """A mark that was cut off counts, and no more than an id is taken from the text behind it."""
    assert marked_ids(text) == ids


def test_a_transcript_marks_turns_written_after_a_summary() -> None:
    """Such a turn may repeat what a bad summary claimed."""
    text = transcript([observed("o1", "hi"), observed("o2", "I fixed it", informed_by=("s:d1",))])
    first, second = text.split("\n\n")
    assert first == "user: hi"
    assert second.startswith("user (written after reading a summary:")
    assert second.endswith(": I fixed it")


@pytest.mark.parametrize(
    ("text", "tokens"), [("", 0), ("a", 1), ("abcd", 1), ("abcde", 2), ("äöü", 2), ("\ud800", 1)]
)
def test_tokens_are_estimated_from_utf8_bytes(text: str, tokens: int) -> None:
    """Four bytes are about one token, and nothing written costs nothing; lone surrogates count too."""
    assert estimate_tokens(text) == tokens
    assert digest_of(user_text(text)) == digest_of(text)
