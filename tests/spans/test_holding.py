"""The walk through a value: where derived text is found, and what is left alone."""

from __future__ import annotations

import array
import functools
import types
from collections import OrderedDict, deque
from dataclasses import dataclass
from typing import Any, NamedTuple

import pytest

from ctxcontracts import expose
from ctxcontracts.spans.holding import DEPTH, OBJECTS, leaves, where_derived
from ctxcontracts.spans.mark import mark
from tests.support.spans import derived, observed

OLD = expose(derived().text)


@dataclass
class Message:
    role: str
    content: Any


@dataclass(frozen=True, slots=True)
class SlottedMessage:
    content: Any


class Turn(NamedTuple):
    content: Any


class Plain:
    def __init__(self, content: Any) -> None:
        self._content = content


class Slotted:
    __slots__ = ("__hidden", "never_set")

    def __init__(self, content: Any) -> None:
        self.__hidden = content


class SlottedChild(Slotted):
    __slots__ = "own"


class SlottedWithMore(Slotted):
    __slots__ = ("__dict__", "__weakref__")


class Lazy:
    __slots__ = ("_made",)

    def __init__(self, make: Any) -> None:
        self._made = types.SimpleNamespace(__call__=None) if make is None else make

    @property
    def content(self) -> Any:
        return self._made()

    @property
    def text(self) -> str:
        raise LookupError


HOLDERS: dict[str, tuple[Any, str]] = {
    "bare": (OLD, ""),
    "marked": (f"x {mark('s:d1')} y", ""),
    "span": (derived(), ""),
    "text": (derived().text, ""),
    "list": (["a", OLD], "[1]"),
    "tuple": (("a", OLD), "[1]"),
    "set": ({OLD}, "[0]"),
    "frozenset": (frozenset({OLD}), "[0]"),
    "deque": (deque([OLD]), "[0]"),
    "dict": ({"a": {"content": OLD}}, "['a']['content']"),
    "dict of numbers": ({7: OLD}, "[7]"),
    "dict under a text of the user": ({"what the user said": OLD}, "[...]"),
    "key": ({OLD: 1}, "[...] (the key)"),
    "ordered": (OrderedDict(a=OLD), "['a']"),
    "values": ({"a": OLD}.values(), "[0]"),
    "dataclass": (Message("user", [OLD]), ".content[0]"),
    "slotted dataclass": (SlottedMessage(OLD), ".content"),
    "named tuple": (Turn(OLD), "[0]"),
    "object": (Plain(OLD), "._content"),
    "slots": (Slotted(OLD), "._Slotted__hidden"),
    "slots beside a dict": (SlottedWithMore(OLD), "._Slotted__hidden"),
    "slots above": (SlottedChild(OLD), "._Slotted__hidden"),
    "property": (Lazy(lambda: OLD), ".content"),
    "partial argument": (functools.partial(print, OLD), ".args[0]"),
    "partial keyword": (functools.partial(print, end=OLD), ".keywords['end']"),
    "namespace": (types.SimpleNamespace(a=[OLD]), ".a[0]"),
}


@pytest.mark.parametrize(("value", "path"), HOLDERS.values(), ids=HOLDERS)
def test_derived_text_is_found_with_its_path(value: Any, path: str) -> None:
    """As its user would write it, and without any text of the user."""
    assert where_derived({"first": "plain", "notes": value}) == f"notes{path}"


CLEAN: dict[str, Any] = {
    "nothing": None,
    "numbers": [1, 2.5, 1j, True],
    "bytes": [b"x", bytearray(b"x"), memoryview(b"x"), array.array("i", [1]), range(10**12)],
    "observed span": observed(),
    "observed text": observed().text,
    "functions, classes and modules": [print, Message, types, lambda: OLD],
    "failing properties": Lazy(lambda: 1 / 0),
    "plain": {"a": ["b", {"c": ("d",)}]},
}


@pytest.mark.parametrize("value", CLEAN.values(), ids=CLEAN)
def test_what_holds_no_derived_text_is_clean(value: Any) -> None:
    """Large and lazy values are not walked through."""
    assert where_derived({"notes": value}) is None


def test_a_cycle_ends() -> None:
    """A message that refers to its conversation is usual."""
    loop: list[Any] = ["a"]
    loop.append({"parent": loop})
    assert where_derived({"loop": loop}) is None
    loop.append(OLD)
    assert where_derived({"loop": loop}) == "loop[2]"


def test_the_walk_is_as_deep_as_it_says() -> None:
    """A text at the limit is found, one below it belongs to the user's own structure."""
    value: Any = OLD
    for _ in range(DEPTH):
        value = [value]
    assert where_derived({"deep": value}) == "deep" + "[0]" * DEPTH
    assert where_derived({"deep": [value]}) is None


def test_containers_are_searched_whole_and_objects_up_to_a_number() -> None:
    """A long history is read to its end; the inside of a client object is not the history."""
    long = [{"content": str(n)} for n in range(OBJECTS * 2)]
    assert where_derived({"history": [*long, {"content": OLD}]}) == f"history[{OBJECTS * 2}]['content']"
    objects = [Plain(n) for n in range(OBJECTS + 5)]
    assert where_derived({"client": objects, "notes": [[OLD]]}) == "notes[0][0]"
    assert where_derived({"client": objects, "notes": [Plain(OLD)]}) is None
    assert where_derived({"client": objects[6:], "notes": [Plain(OLD)]}) == "notes[0]._content"


def test_an_object_that_is_held_twice_is_walked_once() -> None:
    """A shared history costs nothing twice."""
    shared = ["a", "b"]
    assert [leaf.path for leaf in leaves({"x": shared, "y": shared})] == ["x[0]", "x[1]"]
