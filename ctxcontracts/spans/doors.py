"""The doors: the only ways to get observed text. The door fixes the origin and the role.

    text = user_text(input())                          # origin "user"
    page = external_text(body, url="https://…")        # origin "external:https://…"

    @tool
    def read_log(path: str) -> str: ...                # origin "tool:read_log"

Each door refuses derived text: by its type, and by the mark that rendered summaries carry.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Coroutine
from typing import Any, NoReturn, ParamSpec, final, overload

from typing_extensions import deprecated

from ctxcontracts.errors import Promise, ProvenanceError
from ctxcontracts.spans.functions import discard, is_async, name_of, plain_name_of
from ctxcontracts.spans.mark import OPEN, marked_ids
from ctxcontracts.spans.provenance import Role
from ctxcontracts.spans.text import DerivedStr, DerivedText, ObservedText, plain, seal_observed

P = ParamSpec("P")

_LAUNDER = "[ctx-launder] derived text cannot become observed text; use buffer.rederive(span, by)"


@final
class DerivedTextCannotBecomeObserved:
    """What a type checker says a door gives for derived text. Nothing takes it: its name is the message."""


def _refuse_derived(door: str, what: str) -> NoReturn:
    raise ProvenanceError(
        f"{door} was given {what}",
        promise=Promise.PROVENANCE,
        instead="keep the derived span in the buffer, or make a new one with buffer.rederive(span, by)",
    )


def _through(door: str, raw: object, origin: str, role: Role) -> ObservedText:
    """Lets a text through a door, or says why not."""
    if isinstance(raw, (DerivedText, DerivedStr)):
        _refuse_derived(door, "derived text")
    if not isinstance(raw, str):
        discard(raw)
        raise ProvenanceError(
            f"{door} was given a {type(raw).__name__}, not a str",
            promise=Promise.PROVENANCE,
            instead="pass the text itself; decode bytes and serialize structured results first",
        )
    raw = plain(raw)  # a subclass may hide the mark, or be another text under str()
    if OPEN in raw:
        _refuse_derived(door, f"text that carries the mark of derived span {marked_ids(raw)[0]}")
    return seal_observed(raw, origin, role)


@overload
@deprecated(_LAUNDER)
def user_text(text: DerivedText | DerivedStr, /) -> DerivedTextCannotBecomeObserved: ...  # type: ignore[overload-overlap]
@overload
def user_text(text: str, /) -> ObservedText: ...  # pyright: ignore[reportOverlappingOverload]
def user_text(text: object, /) -> object:
    """The door for what a user wrote.

    Raises:
        ProvenanceError: when the text is derived, carries the mark of derived text, or is no `str`.
    """
    return _through("user_text()", text, "user", Role.USER)


@overload
@deprecated(_LAUNDER)
def assistant_text(text: DerivedText | DerivedStr, /) -> DerivedTextCannotBecomeObserved: ...  # type: ignore[overload-overlap]
@overload
def assistant_text(text: str, /) -> ObservedText: ...  # pyright: ignore[reportOverlappingOverload]
def assistant_text(text: object, /) -> object:
    """The door for the record of the agent's own turn. A summary is no turn: it is derived.

    The buffer notes which derived spans were in the window when the turn was written (`informed_by`).

    Raises:
        ProvenanceError: when the text is derived, carries the mark of derived text, or is no `str`.
    """
    return _through("assistant_text()", text, "assistant", Role.ASSISTANT)


@overload
@deprecated(_LAUNDER)
def system_text(text: DerivedText | DerivedStr, /) -> DerivedTextCannotBecomeObserved: ...  # type: ignore[overload-overlap]
@overload
def system_text(text: str, /) -> ObservedText: ...  # pyright: ignore[reportOverlappingOverload]
def system_text(text: object, /) -> object:
    """The door for what the operator wrote: system prompt, policy. Usually observed with `pinned=True`.

    Raises:
        ProvenanceError: when the text is derived, carries the mark of derived text, or is no `str`.
    """
    return _through("system_text()", text, "system", Role.SYSTEM)


@overload
@deprecated(_LAUNDER)
def external_text(text: DerivedText | DerivedStr, /, *, url: str) -> DerivedTextCannotBecomeObserved: ...  # type: ignore[overload-overlap]
@overload
def external_text(text: str, /, *, url: str) -> ObservedText: ...  # pyright: ignore[reportOverlappingOverload]
def external_text(text: object, /, *, url: str) -> object:
    """The door for a document from outside.

    Args:
        text: the document.
        url: where it came from; any stable name will do.

    Raises:
        ProvenanceError: when the text or the url is derived, carries the mark of derived text, or is no `str`.
    """
    return _through("external_text()", text, f"external:{_named('external_text(url=...)', url)}", Role.USER)


@overload
@deprecated(_LAUNDER)
def tool_text(text: DerivedText | DerivedStr, /, *, name: str) -> DerivedTextCannotBecomeObserved: ...  # type: ignore[overload-overlap]
@overload
def tool_text(text: str, /, *, name: str) -> ObservedText: ...  # pyright: ignore[reportOverlappingOverload]
def tool_text(text: object, /, *, name: str) -> object:
    """The door for a tool's recorded result, where the tool itself cannot be decorated (a message list, a log).

    Args:
        text: the result.
        name: the name of the tool.

    Raises:
        ProvenanceError: when the text or the name is derived, carries the mark of derived text, or is no `str`.
    """
    return _through("tool_text()", text, f"tool:{_named('tool_text(name=...)', name)}", Role.TOOL)


def _named(argument: str, name: object) -> str:
    """The name in an origin: a plain `str`, and no way around the door for a text that the door would refuse."""
    if isinstance(name, str) and not isinstance(name, DerivedStr) and OPEN not in plain(name):
        return plain(name)
    what = "derived text" if isinstance(name, (str, DerivedText)) else f"a {type(name).__name__}, not a str"
    raise ProvenanceError(
        f"{argument} was given {what}",
        promise=Promise.PROVENANCE,
        instead="pass where the text came from, as a plain str",
    )


def tool(fn: Callable[P, str], /) -> Callable[P, ObservedText]:
    """Makes the result of a function observed text of origin `tool:NAME`. For `async def` use `@async_tool`.

    Raises:
        ProvenanceError: at decoration, when the function is `async`; at a call, when its result is derived text or
            no `str`.
    """
    if is_async(fn):
        raise _wrong_kind("@tool", fn, "@async_tool")
    name = plain_name_of(fn)

    @functools.wraps(fn)
    def observed(*args: P.args, **kwargs: P.kwargs) -> ObservedText:
        return _through(f"the result of @tool {name}", fn(*args, **kwargs), f"tool:{name}", Role.TOOL)

    return observed


def async_tool(fn: Callable[P, Awaitable[str]], /) -> Callable[P, Coroutine[Any, Any, ObservedText]]:
    """Makes the result of an `async` function observed text of origin `tool:NAME`.

    Raises:
        ProvenanceError: at a call, when the function gives nothing to await, or its result is derived text or no
            `str`.
    """
    name = plain_name_of(fn)

    @functools.wraps(fn)
    async def observed(*args: P.args, **kwargs: P.kwargs) -> ObservedText:
        result = fn(*args, **kwargs)
        if not inspect.isawaitable(result):
            raise _wrong_kind("@async_tool", fn, "@tool")
        return _through(f"the result of @async_tool {name}", await result, f"tool:{name}", Role.TOOL)

    return observed


def _wrong_kind(decorator: str, fn: object, right: str) -> ProvenanceError:
    name = name_of(fn)
    kind = "async" if right == "@async_tool" else "not async"
    return ProvenanceError(f"{decorator} was put on {name}, which is {kind}", instead=f"use {right}")
