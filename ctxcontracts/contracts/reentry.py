"""Whether a derived text comes back among the arguments of a call, and the error that names the call it came from.

A derived text is known by its type (`DerivedStr`, derived spans and texts), by the mark anywhere in a string, and by
the digest of a whole string, white space at its ends apart.
"""

from __future__ import annotations

import dis
import inspect
from collections.abc import Callable, Iterator
from contextlib import suppress
from types import CodeType, MemberDescriptorType
from typing import cast

from ctxcontracts.contracts.echoes import Echoes
from ctxcontracts.contracts.registry import DerivedCall, DerivedRegistry, digest_of_whole
from ctxcontracts.contracts.watch import Watch, warn_of_echo
from ctxcontracts.errors import DerivedAgainError
from ctxcontracts.spans.holding import leaves
from ctxcontracts.spans.mark import marked_ids
from ctxcontracts.spans.span import DerivedSpan
from ctxcontracts.spans.text import DerivedStr, DerivedText, raw_derived

_BY_PLACE = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)

SHORTEST_KNOWN = 20
"""Characters. A shorter whole text ("Yes.", "user") is known by its type and mark only, since anyone may write it."""

_TO_THE_USER = 4
"""Frames from a warning up to the call of the function under `@derives`."""

_INSTEAD = (
    "pass the original messages; keep an earlier summary beside the new one, or make it again from its originals"
)


class Given:
    """The texts among the arguments of a call.

    Attributes:
        digests: those of the whole texts: a result that is one of them was not derived.
        texts: the texts themselves, for what is said in them already.
    """

    __slots__ = ("digests", "texts")

    def __init__(self) -> None:
        self.digests: set[str] = set()
        self.texts: list[str] = []


class Arguments:
    """The parameters of a function, for naming and searching what it is called with.

    Of `self` (or `cls`) only those attributes are searched that the body of the function itself reads: an object may
    keep its last summary for show.
    """

    def __init__(self, function: Callable[..., object]) -> None:
        try:
            parameters = tuple(inspect.signature(function).parameters.values())
        except (TypeError, ValueError):  # some builtins have no signature
            parameters = ()
        self._names = tuple(one.name for one in parameters if one.kind in _BY_PLACE)
        self._rest = next(
            (one.name for one in parameters if one.kind is inspect.Parameter.VAR_POSITIONAL), "arguments"
        )
        self._on_self = _attributes_read(function) if self._names and self._names[0] in {"self", "cls"} else None

    def named(self, args: tuple[object, ...], kwargs: dict[str, object]) -> dict[str, object]:
        """The arguments by name; what has no name of its own is called by its place in `*args`."""
        found: dict[str, object] = {}
        for index, value in enumerate(args):
            beyond = index - len(self._names)
            name = self._names[index] if beyond < 0 else f"{self._rest}[{beyond}]"
            if index == 0 and self._on_self is not None:
                found |= {f"{name}.{read}": _held(value, read) for read in self._on_self}
            else:
                found[name] = value
        # A positional-only parameter and a keyword of **kwargs may share a name.
        return found | {f"{name} (by name)" if name in found else name: value for name, value in kwargs.items()}


def _held(owner: object, name: str) -> object:
    """What an object holds under a name, also in a slot or behind a property; None for a method or nothing."""
    held = getattr(owner, "__dict__", {})
    if name in held:
        return held[name]
    if isinstance(getattr(type(owner), name, None), (property, MemberDescriptorType)):
        with suppress(Exception):  # a property of somebody else's object may raise anything
            return getattr(owner, name)
    return None


def _attributes_read(function: Callable[..., object]) -> tuple[str, ...]:
    """The names of all attributes that the code of a function reads, the functions inside it included."""
    code = getattr(inspect.unwrap(function), "__code__", None)
    return tuple(dict.fromkeys(_loaded(code))) if isinstance(code, CodeType) else ()


def _loaded(code: CodeType) -> Iterator[str]:
    for instruction in dis.get_instructions(code):
        if instruction.opname in {"LOAD_ATTR", "LOAD_METHOD"}:
            yield str(instruction.argval)
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _loaded(constant)


def refuse_reentry(
    function: str, named: dict[str, object], registry: DerivedRegistry, *, watch: Watch, echoes: Echoes
) -> Given:
    """Refuses arguments that hold an earlier derived text, and warns of those that hold much of one.

    Args:
        function: the name of the function that is called.
        named: its arguments, by the names that an error gives them.
        registry: where the earlier calls are known.
        watch: whether texts are looked at that have neither the type nor the mark of a derived one.
        echoes: what is heard of the earlier calls.

    Raises:
        DerivedAgainError: when one does. It names the argument, and the earlier call if the registry knows it.
        ColdStoreError: when the registry cannot be read.
    """
    given = Given()
    known = None if watch is Watch.OFF else registry
    for path, value in leaves(named):
        earlier = _earlier(value, registry, given.digests, known)
        if earlier is not None:
            raise _refusal(function, path, earlier)
        text = str.__str__(cast("str", value))  # all else was refused
        given.texts.append(text)
        echo = None if known is None else echoes.heard(text)
        if echo is not None:
            warn_of_echo(f"{function}(...)", path, echo, level=_TO_THE_USER)
    return given


def _earlier(
    value: str | DerivedText | DerivedSpan,
    registry: DerivedRegistry,
    asked: set[str],
    known: DerivedRegistry | None,
) -> DerivedCall | str | None:
    """The call that derived a text, or its id where the registry does not know it, or None for no derived text."""
    if isinstance(value, DerivedSpan):
        return registry.by_id(value.id) or value.id
    text = raw_derived(value) if isinstance(value, DerivedText) else str.__str__(value)
    marked = marked_ids(text)
    if marked:
        return registry.by_id(marked[0]) or marked[0]
    by_type = "unknown" if isinstance(value, (DerivedStr, DerivedText)) else None
    digest = digest_of_whole(text)
    if digest in asked or len(text.strip()) < SHORTEST_KNOWN:
        return by_type
    asked.add(digest)
    return (known.find(digest) if known is not None else None) or by_type


def _refusal(function: str, path: str, earlier: DerivedCall | str) -> DerivedAgainError:
    known = earlier if isinstance(earlier, DerivedCall) else None
    earlier_id = earlier if isinstance(earlier, str) else earlier.id
    by = f"a call to {known.function} derived at {known.when}" if known else "another call derived"
    return DerivedAgainError(
        f"{function}(...): {path} holds text that {by} (id {earlier_id})",
        earlier_id=earlier_id,
        earlier_function=known.function if known else None,
        earlier_when=known.when if known else None,
        instead=_INSTEAD,
    )
