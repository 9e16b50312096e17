"""Strings that are not what they seem: subclasses of `str`, and texts in the place of names."""

from __future__ import annotations

import enum
import functools
from collections.abc import Callable, Sequence
from typing import Any
from unittest import mock

import pytest

from ctxcontracts import (
    ObservedSpan,
    ObservedText,
    ProvenanceError,
    RewritePolicyError,
    async_summarizer,
    expose,
    external_text,
    summarizer,
    tool,
    tool_text,
    transcript,
    user_text,
)
from ctxcontracts.spans.mark import mark
from tests.support.spans import derived, observed

CANARY = "canary-7f3a"


class Colour(str, enum.Enum):  # noqa: UP042 - its str() is not its value, which is the point
    RED = "the value"


class Hiding(str):
    """Another text under `str()`, and a mark that `in` does not find."""

    __slots__ = ()

    def __str__(self) -> str:
        return f"{mark('s:d1')} laundered"

    def __contains__(self, _: object) -> bool:
        return False


DOORS: dict[str, Callable[[Any], ObservedText]] = {
    "user": user_text,
    "recorded tool": lambda text: tool_text(text, name="grep"),
    "tool": lambda text: tool(lambda: text)(),
}
by_door = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)


@by_door
def test_a_door_takes_the_characters_of_a_subclass(door: Callable[[Any], ObservedText]) -> None:
    """What is kept is the text itself, not what the subclass shows."""
    assert str(door(Colour.RED)) == "the value"
    assert str(door(Hiding("fine"))) == "fine"


@by_door
def test_a_subclass_cannot_hide_a_mark(door: Callable[[Any], ObservedText]) -> None:
    """The door asks `str`, not the class."""
    with pytest.raises(ProvenanceError, match="carries the mark"):
        door(Hiding(f"{mark('s:d1')} earlier"))


def red(_: Sequence[ObservedSpan]) -> str:
    return Colour.RED


def test_a_summary_is_the_characters_of_a_subclass() -> None:
    """A summarizer may return a member of an enum."""
    assert str.__str__(expose(summarizer(red)([observed()]))) == "the value"


@pytest.mark.parametrize(
    "name",
    [expose(derived(text=CANARY).text), derived(text=CANARY).text, f"{mark('s:d1')} {CANARY}", None, 3],
    ids=["exposed", "derived", "marked", "None", "a number"],
)
def test_no_derived_text_becomes_an_origin(name: Any) -> None:
    """A summarizer reads origins, so they are no way around the doors."""
    for door in (lambda: external_text("x", url=name), lambda: tool_text("x", name=name)):
        with pytest.raises(ProvenanceError) as refused:
            door()
        assert CANARY not in str(refused.value)


def test_a_refusal_prints_one_id_and_no_text_between_brackets() -> None:
    """However many marks there are, and whatever stands in them."""
    with pytest.raises(ProvenanceError) as refused:
        user_text(f"[[derived:see {CANARY}]]" + "[[derived:s:d1]]" * 1000)
    assert CANARY not in str(refused.value)
    assert len(str(refused.value)) < 500


def test_a_partial_carries_no_derived_text_into_a_summarizer() -> None:
    """What `functools.partial` holds is an option like any other."""

    def extending(spans: Sequence[ObservedSpan], previous: str = "") -> str:
        return f"{previous[:20]} and {len(spans)}"

    async def aextending(spans: Sequence[ObservedSpan], previous: str = "") -> str:
        return extending(spans, previous)

    earlier = f"{mark('s:d1')} earlier"
    with pytest.raises(RewritePolicyError, match=r"functools\.partial\.keywords\['previous'\] holds derived text"):
        summarizer(functools.partial(extending, previous=earlier))([observed()])
    with pytest.raises(RewritePolicyError, match="holds derived text"):
        async_summarizer(functools.partial(aextending, previous=earlier))([observed()]).send(None)
    assert summarizer(functools.partial(extending, previous="plain"))([observed()])


@pytest.mark.parametrize(
    "spans",
    [[derived()], [observed(), "text"], [mock.Mock(spec=ObservedSpan)], None],
    ids=["derived", "a text", "a mock", "None"],
)
def test_a_transcript_is_made_of_observed_spans(spans: Any) -> None:
    """`transcript(buffer.spans)` with a summary in the window is refused in our words."""
    with pytest.raises(RewritePolicyError, match=r"transcript\(spans\)"):
        transcript(spans)
