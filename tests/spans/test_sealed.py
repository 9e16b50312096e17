"""Sealed types: nobody makes, changes, extends or forges one by hand."""

from __future__ import annotations

import copy
import json
import pickle
from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ctxcontracts import (
    AsyncSummarizer,
    DerivedSpan,
    DerivedStr,
    DerivedText,
    ObservedSpan,
    ObservedText,
    ProvenanceError,
    Summarizer,
    async_summarizer,
    expose,
    summarizer,
    user_text,
)
from ctxcontracts.spans.text import is_sealed
from tests.support.spans import derived, observed

SECRET = "the launch code is 7-7-7"


@summarizer
def shrink(spans: Sequence[ObservedSpan]) -> str:
    return "short"


@async_summarizer
async def ashrink(spans: Sequence[ObservedSpan]) -> str:
    return "short"


KINDS: list[Any] = [ObservedText, DerivedText, ObservedSpan, DerivedSpan, Summarizer, AsyncSummarizer]


def one_of_each() -> list[Any]:
    return [
        user_text(SECRET),
        derived(text=SECRET).text,
        observed(text=SECRET),
        derived(text=SECRET),
        shrink,
        ashrink,
    ]


by_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)
by_value = pytest.mark.parametrize("value", one_of_each(), ids=lambda value: type(value).__name__)


@by_kind
@pytest.mark.parametrize("args", [(), ("text",), ("a", "b")], ids=["nothing", "a text", "two"])
def test_a_sealed_type_cannot_be_called(kind: Any, args: tuple[str, ...]) -> None:
    """The error names the type and what makes one, whatever was passed."""
    with pytest.raises(ProvenanceError, match=f"{kind.__name__} is sealed") as caught:
        kind(*args)
    with pytest.raises(ProvenanceError):
        kind(raw="a", id="b")
    assert "get one from" in str(caught.value)


@by_kind
def test_a_sealed_type_has_no_subclass(kind: Any) -> None:
    """A subclass could change what the guards rely on."""
    with pytest.raises(ProvenanceError, match="is final"):
        type("Fake", (kind,), {})


@by_value
def test_a_sealed_value_does_not_change(value: Any) -> None:
    """No attribute is assigned, added or deleted."""
    with pytest.raises(ProvenanceError, match="immutable"):
        value.text = "other"
    with pytest.raises(ProvenanceError, match="immutable"):
        del value.text


@by_value
def test_copies_of_a_sealed_value_are_itself(value: Any) -> None:
    """State that agents deep-copy keeps its spans, texts and summarizers."""
    assert copy.copy(value) is value
    assert copy.deepcopy([value])[0] is value


@by_value
def test_the_repr_of_a_sealed_value_shows_no_text(value: Any) -> None:
    """Logs, tracebacks and assertion messages show kind and size."""
    assert "launch" not in f"{value!r} {[value]} { ({'k': value})!r}"
    assert type(value).__name__ in repr(value)


@pytest.mark.parametrize(
    ("kind", "attribute"), [(ObservedSpan, "id"), (DerivedSpan, "sources"), (DerivedText, "expose")]
)
def test_a_value_made_past_the_seal_is_empty_and_says_so(kind: Any, attribute: str) -> None:
    """`object.__new__` makes a hull; its first use tells what happened."""
    forged = object.__new__(kind)
    with pytest.raises(ProvenanceError, match=r"made by object.__new__"):
        _ = getattr(forged, attribute)() if attribute == "expose" else getattr(forged, attribute)
    assert not hasattr(forged, "no_such_thing")


def test_observed_text_made_past_the_seal_is_known_for_a_forgery() -> None:
    """`str.__new__` gives it no origin."""
    forged = str.__new__(ObservedText, SECRET)
    assert not is_sealed(forged)
    assert repr(forged) == "<ObservedText forged, 24 characters>"


@pytest.mark.parametrize("span", [observed(), derived()], ids=["observed", "derived"])
def test_a_span_is_not_pickled(span: Any) -> None:
    """It would lose its buffer; the error says what to pass instead."""
    with pytest.raises(ProvenanceError, match="means nothing without its buffer"):
        pickle.dumps(span)


def test_observed_text_pickles_as_plain_text() -> None:
    """What comes back from another process passes a door again."""
    back = pickle.loads(pickle.dumps(user_text("hello")))
    assert type(back) is str
    assert back == "hello"


def test_derived_text_stays_derived_over_a_pickle() -> None:
    """It cannot come back as anything better than it was."""
    text = derived(text="short").text
    assert pickle.loads(pickle.dumps(text)) == text
    exposed = pickle.loads(pickle.dumps(expose(text)))
    assert type(exposed) is DerivedStr
    assert exposed == "short"
    assert copy.copy(exposed) is exposed
    assert copy.deepcopy(exposed) is exposed


@pytest.mark.parametrize("one", [shrink, ashrink], ids=["sync", "async"])
def test_a_summarizer_of_a_module_pickles_by_name(one: Any) -> None:
    """As functions do, so that it reaches a process pool."""
    assert type(one).__reduce__(one) == one.__qualname__


@pytest.mark.parametrize(
    "edit",
    [str.upper, str.strip, lambda t: t[1:], lambda t: t + "!", lambda t: f"{t}", str],
    ids=["upper", "strip", "slice", "add", "format", "str"],
)
def test_an_edit_of_observed_text_is_plain(edit: Callable[[ObservedText], str]) -> None:
    """Only the door's own text is an original."""
    assert type(edit(user_text(" hello"))) is str


def test_observed_text_reads_as_a_string() -> None:
    """Prompts, JSON and dictionaries take it."""
    text = user_text("hello")
    assert json.dumps({"content": text}) == '{"content": "hello"}'
    assert {text: 1}["hello"] == 1
    assert text == "hello"
