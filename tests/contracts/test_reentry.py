"""What `@derives` finds among the arguments of a call, and how it names it."""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from ctxcontracts import derives
from ctxcontracts.contracts.registry import MemoryRegistry
from ctxcontracts.errors import CtxContractsError, DerivedAgainError, ReentryWarning
from ctxcontracts.spans.mark import mark
from tests.support.spans import derived

HISTORY = [{"role": "user", "content": "Why was the build red?"}, {"role": "tool", "content": "no space left"}]
TEXT = "The user asks why the build was red; the disk was full."


def messages(*contents: object) -> list[dict[str, object]]:
    return [{"role": "user", "content": content} for content in contents]


@derives
def summarize(history: list[dict[str, Any]], *more: object, limit: int = 3, **options: object) -> str:
    return TEXT


class Agent:
    @derives
    def method(self, history: list[Any]) -> str:
        return TEXT


@derives
def shadowed(text: str, /, **options: object) -> str:
    return TEXT


@dataclass
class Message:
    content: object


WAYS: dict[str, Callable[[str], list[Any]]] = {
    "as it is": lambda s: [s],
    "plain": lambda s: [str(s)],
    "in an f-string": lambda s: [f"Earlier: {s}"],
    "without its mark": lambda s: [str(s).partition("]] ")[2]],
    "without its mark, with white space": lambda s: ["\n " + str(s).partition("]] ")[2] + "\n"],
    "cut": lambda s: [str(s)[:40]],
    "over JSON": lambda s: json.loads(json.dumps(messages(s))),
    "as a part": lambda s: messages([{"type": "text", "text": str(s)}]),
    "in an object": lambda s: [Message(str(s))],
    "joined": lambda s: ["\n".join([*"ab", s])],
    "inside JSON": lambda s: [json.dumps({"summary": s})],
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS)
def test_a_summary_is_known_again_whatever_it_went_through(way: Callable[[str], list[Any]]) -> None:
    """By its mark inside a longer text, or by its digest where the mark was taken off."""
    with pytest.raises(DerivedAgainError, match="that a call to summarize derived at"):
        summarize(way(summarize(HISTORY)))


ARGUMENTS: dict[str, tuple[Callable[[str], object], str]] = {
    "by place": (lambda s: summarize([s]), "history[0]"),
    "by name": (lambda s: summarize(history=[{"a": s}]), "history[0]['a']"),
    "first of the rest": (lambda s: summarize([], s), "more[0]"),
    "second of the rest": (lambda s: summarize([], "x", s), "more[1]"),
    "keyword": (lambda s: summarize([], previous=s), "previous"),
    "keyword of a name that is taken": (lambda s: shadowed("x", text=s), "text (by name)"),
    "method": (lambda s: Agent().method([s]), "history[0]"),
}


@pytest.mark.parametrize(("call", "path"), ARGUMENTS.values(), ids=ARGUMENTS)
def test_every_argument_is_searched_and_named(call: Callable[[str], object], path: str) -> None:
    """As its user would write it."""
    with pytest.raises(DerivedAgainError, match=r"\(\.\.\.\): ") as caught:
        call(summarize(HISTORY))
    assert f"(...): {path} holds text" in caught.value.happened


@pytest.mark.parametrize(
    "value",
    [derived(), derived().text, derived().text.expose(), f"{mark('s:d1')} x"],
    ids=["span", "text", "str", "mark"],
)
def test_what_a_buffer_derived_is_refused_too(value: object) -> None:
    """The two ways into the library know each other's summaries."""
    with pytest.raises(DerivedAgainError, match="holds text that another call derived") as caught:
        summarize(messages(value))
    assert caught.value.earlier_function is None


def test_without_a_mark_the_whole_text_is_known() -> None:
    """The text comes back unchanged; an f-string around it hides it, and that is the price."""
    plain = derives(mark=False, store=MemoryRegistry())(lambda history: TEXT)
    summary = plain(HISTORY)
    assert summary == TEXT
    for again in (summary, TEXT, f"\n{TEXT} "):
        with pytest.raises(DerivedAgainError, match="lambda> derived at"):
            plain(messages(again))
    with pytest.warns(ReentryWarning, match=r"history\[0\]\['content'\] holds 8 runs of 5 words of "):
        assert plain(messages(f"Earlier: {TEXT}")) == TEXT


def test_short_texts_are_known_by_type_and_mark_only() -> None:
    """Anyone may write "Yes."."""
    short = derives(mark=False, store=MemoryRegistry())(lambda history: "Yes.")
    summary = short(HISTORY)
    assert short(messages("Yes.")) == "Yes."
    with pytest.raises(DerivedAgainError, match="id unknown"):
        short(messages(summary))


def test_registries_are_apart() -> None:
    """A text that another registry knows by its digest is a plain text here; its mark is a mark everywhere."""
    one = derives(store=MemoryRegistry())(lambda history: TEXT + " one")
    two = derives(store=MemoryRegistry())(lambda history: TEXT + " two")
    summary = one(HISTORY)
    assert two(messages(TEXT + " one"))
    with pytest.raises(DerivedAgainError, match="another call"):
        two(messages(summary))


class Memory:
    """Keeps its summary for show, and its window for the next round."""

    def __init__(self) -> None:
        self.summary: str = ""
        self.window: list[Any] = list(HISTORY)
        self.originals: list[Any] = list(HISTORY)

    @derives
    def from_originals(self) -> str:
        return f"{len(self.originals)} turns about a build that was red."

    @derives
    def from_helper(self) -> str:
        return f"{self.count()} turns about a build that was red."

    def count(self) -> int:
        return len(self.window)

    @derives
    def from_window(self) -> str:
        return f"{len([m for m in self.window])} turns about a build that was red."  # noqa: C416


class Slotted:
    __slots__ = ("_window", "broken_reads")

    def __init__(self, window: list[Any]) -> None:
        self._window = window
        self.broken_reads = 0

    @property
    def window(self) -> list[Any]:
        return self._window

    @property
    def broken(self) -> list[Any]:
        self.broken_reads += 1
        raise LookupError

    @derives
    def by_slot(self) -> str:
        return f"{len(self._window)} turns about a build that was red."

    @derives
    def by_property(self) -> str:
        return f"{len(self.window)} turns about a build that was red."

    @derives
    def by_broken_property(self) -> str:
        return f"{len(self.broken)} turns"


def test_slots_and_properties_of_self_are_searched_too() -> None:
    """A property that fails is left to the function."""
    for held, path in ((Slotted.by_slot, "_window"), (Slotted.by_property, "window")):
        assert held(Slotted(HISTORY))
        with pytest.raises(DerivedAgainError, match=rf"self\.{path}\[0\]\['content'\]"):
            held(Slotted(messages(summarize(HISTORY))))
    failing = Slotted([])
    with pytest.raises(LookupError):
        failing.by_broken_property()
    assert failing.broken_reads == 2


def test_of_self_only_what_the_function_reads_is_searched() -> None:
    """An object may hold its last summary; a function that reads it again is refused."""
    memory = Memory()
    memory.summary = memory.from_originals()
    memory.window = [*HISTORY, *messages(memory.summary)]
    assert memory.from_originals().endswith("red.")
    with pytest.raises(DerivedAgainError, match=r"self\.window\[2\]\['content'\] holds"):
        memory.from_window()


def test_what_a_helper_method_reads_is_left_to_the_types() -> None:
    """Only the body of the function itself is looked at; the documented limit of the search."""
    memory = Memory()
    memory.window = messages(memory.from_originals())
    assert memory.from_helper().endswith("red.")


def test_builtins_without_a_signature_can_be_decorated() -> None:
    """Their arguments are named by their place."""
    join = derives(max)  # type: ignore[type-var]
    with pytest.raises(DerivedAgainError, match=r"arguments\[0\]"):
        join(summarize(HISTORY), "a")


def test_the_same_text_is_asked_for_once() -> None:
    """A history that repeats itself costs one look-up a text."""
    asked: list[str] = []

    class Counting(MemoryRegistry):
        def find(self, digest: str, /) -> Any:
            asked.append(digest)
            return super().find(digest)

    derives(store=Counting())(lambda history: TEXT)(messages(*["a text of more than twenty characters"] * 50))
    assert len(asked) == 1


def test_much_of_an_earlier_result_warns_and_names_it() -> None:
    """Not a refusal, whatever the setting: an honest reply may quote the summary."""
    for reentry in ("warn", "refuse"):
        plain = derives(mark=False, store=MemoryRegistry(), reentry=reentry)(lambda history: TEXT)  # type: ignore[call-overload]
        plain(HISTORY)
        with pytest.warns(ReentryWarning, match="% of the text") as warned:
            plain(messages(f"As I said: {TEXT.upper()}"))
        assert TEXT.upper() not in str(warned[0].message)
        assert warned[0].filename == __file__


def test_what_stands_in_the_arguments_is_no_sign_of_the_result() -> None:
    """An extract is not heard in its own source, which comes back with every call."""
    source = f"{TEXT} And then they had lunch."
    extract = derives(mark=False, store=MemoryRegistry())(lambda history: TEXT)
    extract(messages(source))
    assert extract(messages(source, "more")) == TEXT


def test_reentry_can_be_turned_off() -> None:
    """Then the type and the mark alone tell."""
    registry = MemoryRegistry()
    plain = derives(mark=False, store=registry, reentry="off")(lambda history: TEXT)
    summary = plain(HISTORY)
    assert plain(messages(TEXT, f"Earlier: {TEXT}")) == TEXT
    with pytest.raises(DerivedAgainError):
        plain(messages(summary))


def test_a_stream_is_heard_too() -> None:
    """Once it has ended."""

    @derives(mark=False, store=MemoryRegistry())
    def streaming(history: list[Any]) -> Any:
        yield TEXT[:20]
        yield TEXT[20:]

    list(streaming(HISTORY))
    with pytest.warns(ReentryWarning):
        list(streaming(messages(f"Earlier: {TEXT}")))


def test_a_registry_that_cannot_be_weakly_held_is_heard_by_its_own_function() -> None:
    """Nothing is asked of a registry but its protocol."""

    class Slotted(MemoryRegistry):
        __slots__ = ()
        __hash__ = None  # type: ignore[assignment]

    plain = derives(mark=False, store=Slotted())(lambda history: TEXT)
    plain(HISTORY)
    with pytest.warns(ReentryWarning):
        plain(messages(f"Earlier: {TEXT}"))


@pytest.mark.parametrize("setting", ["loud", None, "x" * 30])
def test_a_setting_is_one_of_three(setting: object) -> None:
    """A wrong name is told at once."""
    with pytest.raises(CtxContractsError, match='"off", "warn" or "refuse"'):
        derives(reentry=setting)(lambda history: TEXT)  # type: ignore[call-overload]
