"""What `@derives` leaves alone: ordinary programs that never summarize a summary."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from ctxcontracts import DerivedAgainError, DerivedStr, SQLiteStore, derives

DOCUMENT = "A short note about the deployment of today."
LONG = "a summary that is long enough to be known again"


@derives
def at_most_fifty(text: str) -> str:
    return text[:50]


@derives
def at_most_fifty_streamed(text: str) -> Iterator[str]:
    yield text[:10]
    yield text[10:50]


@derives
async def at_most_fifty_async(text: str) -> str:
    return text[:50]


@derives
async def at_most_fifty_async_streamed(text: str) -> AsyncIterator[str]:
    yield text[:50]


@derives
def hidden_stream(text: str) -> Iterator[str]:
    return (piece for piece in [text[:50]])


@dataclass
class Message:
    content: str
    meta: dict[str, Any] = field(default_factory=dict[str, Any])


async def test_a_text_that_comes_back_unchanged_is_no_summary() -> None:
    """A function that leaves short documents alone may be given the same one again."""
    for _ in range(2):
        assert at_most_fifty(DOCUMENT) == DOCUMENT
        assert not isinstance(at_most_fifty(DOCUMENT), DerivedStr)
        assert await at_most_fifty_async(DOCUMENT) == DOCUMENT
        list(at_most_fifty_streamed(DOCUMENT))
        list(hidden_stream(DOCUMENT))
        assert [chunk async for chunk in at_most_fifty_async_streamed(DOCUMENT)]


def test_it_stays_no_summary_after_a_restart(tmp_path: Path) -> None:
    """A store keeps no call that derived nothing."""
    for _ in range(2):
        with SQLiteStore(tmp_path / "a.db") as store:
            assert derives(store=store)(lambda text: text)(DOCUMENT) == DOCUMENT


def test_a_text_that_was_shortened_is_a_summary() -> None:
    """Only what is whole is what it was."""
    short = at_most_fifty("word " * 100)
    with pytest.raises(DerivedAgainError):
        at_most_fifty(short)


def test_a_chat_that_shows_its_summaries_goes_on() -> None:
    """Summaries are printed, kept beside the history and counted; the history alone is summarized, twice too."""

    @derives
    def summarize(messages: list[Message]) -> str:
        return f"{len(messages)} messages about the deployment of the service"

    history = [Message(f"turn {n}") for n in range(4)]
    shown: list[str] = []
    for _ in range(3):
        summary = summarize(history)
        shown.append(f"So far: {summary}")
        assert len(summary) > 0
        history.append(Message("and then?"))
    assert summarize(history[:4])
    with pytest.raises(DerivedAgainError):
        summarize([*history, Message("x", {"earlier": shown})])


class Raising:
    """An object of somebody else that raises when it is read."""

    __slots__ = ("slot",)

    def __getattr__(self, name: str) -> Any:
        raise RuntimeError(name)


class RaisingMapping(dict[str, Any]):
    def items(self) -> Any:
        raise RuntimeError


@pytest.mark.parametrize("odd", [Raising(), RaisingMapping(a=1)], ids=["object", "mapping"])
def test_an_argument_that_cannot_be_read_is_left_to_the_function(odd: Any) -> None:
    """The search is ours, so its troubles are not the caller's; what can be read is still searched."""

    @derives
    def summarize(*things: object) -> str:
        return LONG

    assert summarize(odd, "plain")
    with pytest.raises(DerivedAgainError):
        summarize(odd, summarize("plain"))
