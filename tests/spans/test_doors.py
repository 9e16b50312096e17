"""Doors: what comes in gets the origin of its door, and derived text does not come in."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import pytest

from ctxcontracts import (
    DerivedStr,
    ObservedText,
    Promise,
    ProvenanceError,
    Role,
    assistant_text,
    async_tool,
    expose,
    external_text,
    system_text,
    tool,
    tool_text,
    user_text,
)
from ctxcontracts.spans.mark import mark
from tests.support.spans import derived, observed

DOORS: dict[str, tuple[Callable[[Any], ObservedText], str, Role]] = {
    "user": (user_text, "user", Role.USER),
    "assistant": (assistant_text, "assistant", Role.ASSISTANT),
    "system": (system_text, "system", Role.SYSTEM),
    "external": (lambda text: external_text(text, url="file:a"), "external:file:a", Role.USER),
    "recorded tool": (lambda text: tool_text(text, name="grep"), "tool:grep", Role.TOOL),
    "tool": (lambda text: tool(functools.wraps(read_log)(lambda: text))(), "tool:read_log", Role.TOOL),
}


def read_log() -> str:
    return "line 1"


by_door = pytest.mark.parametrize(("door", "origin", "role"), DOORS.values(), ids=DOORS)


@by_door
def test_a_door_fixes_origin_and_role(door: Callable[[Any], ObservedText], origin: str, role: Role) -> None:
    """The caller cannot claim another one."""
    text = door("hello")
    assert (text, text.origin, text.role) == ("hello", origin, role)
    assert repr(text) == f"<ObservedText {origin}, 5 characters>"
    assert door(text).origin == origin


@by_door
@pytest.mark.parametrize(
    "text",
    [
        derived(text="secret").text,
        expose(derived(text="secret").text),
        expose(derived(text="secret").text) + " and more",
        f"{mark('s:d1')} secret",
        f"as I said: {mark('s:d1')} secret"[:-2],
    ],
    ids=["derived text", "exposed", "edited", "marked", "marked inside"],
)
def test_derived_text_goes_through_no_door(
    door: Callable[[Any], ObservedText], origin: str, role: Role, text: object
) -> None:
    """Known by its type, or by the mark that a rendered summary carries."""
    with pytest.raises(ProvenanceError) as caught:
        door(text)
    assert caught.value.promise is Promise.PROVENANCE
    assert "secret" not in str(caught.value)


@by_door
@pytest.mark.parametrize("value", [b"bytes", None, 3, observed()], ids=["bytes", "None", "int", "span"])
def test_only_strings_go_through_a_door(
    door: Callable[[Any], ObservedText], origin: str, role: Role, value: object
) -> None:
    """The error names the type that came."""
    with pytest.raises(ProvenanceError, match=type(value).__name__):
        door(value)


def test_a_tool_keeps_its_name_and_its_arguments() -> None:
    """A decorated tool can be given to a framework that inspects it."""

    @tool
    def find(path: str, *, depth: int = 1) -> str:
        """Find files."""
        return f"{path} {depth}"

    assert find("a", depth=2) == "a 2"
    assert (find.__name__, find.__doc__, find("a").origin) == ("find", "Find files.", "tool:find")


def test_a_tool_without_a_name_is_called_by_what_is_inside_or_by_its_class() -> None:
    """A partial is its function with some arguments given."""

    class Reader:
        def __call__(self) -> str:
            return "line 1"

    assert tool(functools.partial(functools.partial(read_log)))().origin == "tool:read_log"
    assert tool(Reader())().origin == "tool:Reader"


async def test_an_async_tool_is_observed_too() -> None:
    """Its result is awaited and passes the same door."""

    @async_tool
    async def fetch(url: str) -> str:
        return f"body of {url}"

    @async_tool
    async def bad() -> str:
        return DerivedStr("secret")

    assert (await fetch("a")).origin == "tool:fetch"
    with pytest.raises(ProvenanceError, match="the result of @async_tool bad was given derived text"):
        await bad()


def test_a_coroutine_in_place_of_a_text_is_closed() -> None:
    """No warning about a coroutine that was never awaited hides the error."""

    async def later() -> str:
        return "x"

    with pytest.raises(ProvenanceError, match="was given a coroutine, not a str"):
        tool(lambda: later())()  # type: ignore[arg-type, return-value]  # noqa: PLW0108


async def test_each_tool_decorator_names_the_other_one() -> None:
    """The wrong one is noticed, at once where it can be."""

    async def later() -> str:
        return "x"

    class Later:
        async def __call__(self) -> str:
            return "x"

    for one in (later, functools.partial(later), Later()):
        with pytest.raises(ProvenanceError, match=r", which is async\n.*use @async_tool"):
            tool(one)  # type: ignore[arg-type]
    with pytest.raises(ProvenanceError, match=r"read_log, which is not async\n.*use @tool"):
        await async_tool(read_log)()  # type: ignore[arg-type]
