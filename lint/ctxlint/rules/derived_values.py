"""Where the text of a value came from, if it is derived text of ctxcontracts.

    note = titled(expose(span.text))        # of `note`: the call of expose
    answer = ask(buffer.render())           # of `answer`: nothing, for `ask` is not of this file

Followed are variables, fields of `self`, displays, operators, methods of `str`, and functions of the same file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from ctxlint.ir import ops as op
from ctxlint.rules.own_names import DOORS, EDITS, TOOLS, OwnNames

_HOPS: Final = 40
_NO_TEXT: Final = ("_", "is", "count", "find", "index", "startswith", "endswith")
_TEXT_METHODS: Final = frozenset(name for name in vars(str) if not name.startswith(_NO_TEXT))
_PASSING: Final = frozenset(
    {"str", "repr", "format", "sorted", "list", "tuple", "reversed", "dumps", "dedent", "cast"}
)
_HOLDING: Final = frozenset({"text", "content"})
_PUTTING: Final = frozenset({"append", "extend", "insert", "add", "update"})
_Given = Mapping[int, "Source"]
_NOTHING: Final[_Given] = {}


class Source(NamedTuple):
    """The call or the name by which derived text came in: where, and what it is."""

    function: int
    value: int
    what: str


class DerivedValues:
    """The question for the values of one file.

    Args:
        names: the names of the file.
    """

    def __init__(self, names: OwnNames) -> None:
        self._names = names
        self._asked: set[tuple[int, int]] = set()

    def source(self, function: int, value: int, given: _Given = _NOTHING) -> Source | None:
        """The source of the derived text in a value, or None.

        Args:
            function: the index of the function.
            value: a value of it; -1 is none.
            given: the sources of its parameters, by index, where the way leads through a call.
        """
        where = (function, value)
        if value < 0 or where in self._asked or len(self._asked) > _HOPS:
            return None
        self._asked.add(where)
        try:
            found = self._names.functions[function].ops[value]
            if found[0] == op.PARAM:
                return given.get(found[1]) or self._annotated(function, value, found[1])
            if found[0] == op.CALL:
                return self._of_call(function, value, given)
            return self._first(self._parts(function, found), given)
        finally:
            self._asked.discard(where)

    def _annotated(self, function: int, value: int, index: int) -> Source | None:
        """A parameter that is declared to be derived."""
        annotation = self._names.functions[function].parameters[index].annotation
        is_derived = "Derived" in annotation and not any(word in annotation for word in ("Observed", "AnySpan"))
        return Source(function, value, "declared derived") if is_derived else None

    def _first(self, parts: Iterable[tuple[int, int]], given: _Given) -> Source | None:
        found = (self.source(function, value, given) for function, value in parts)
        return next((source for source in found if source is not None), None)

    def _parts(self, function: int, found: op.Op) -> Iterator[tuple[int, int]]:
        """What the text of a value is made of, for all that is no call."""
        kind, *fields = found
        if kind in {op.NAME, op.CAPTURE}:
            owner = 0 if kind == op.NAME else fields[1]
            for value in self._names.functions[owner].variables.get(fields[0], ()):
                yield owner, value
        elif kind == op.ATTR:
            if fields[1] in _HOLDING:
                yield function, fields[0]
            if self._names.is_self(function, fields[0]):
                yield from self._names.fields(function, fields[1])
        else:
            yield from ((function, value) for value in _operands(kind, fields))
            if kind == op.OUT:
                yield from self._put(function, fields)

    def _put(self, function: int, out: list[Any]) -> Iterator[tuple[int, int]]:
        """What a call has put into the collection that it is a method of."""
        _, _, _, method, args, _ = self._names.functions[function].ops[out[1]]
        if out[2] == "self" and method in _PUTTING:
            yield from ((function, arg) for arg in args)

    def _of_call(self, function: int, value: int, given: _Given) -> Source | None:
        names = self._names
        _, callee, receiver, method, args, keywords = names.functions[function].ops[value]
        what = self._written(function, value)
        if what or names.called(function, value) in DOORS:  # what goes through a door is reported there
            return Source(function, value, what) if what else None
        inner = names.function_of(function, callee) if callee != -1 else None
        if inner is not None:
            return self._through(inner, (function, value), [*args], dict(keywords), given)
        handed = [(function, arg) for arg in (*args, *(arg for _, arg in keywords))]
        if callee != -1:
            passes = names.is_class(function, callee) or names.named(function, callee) in _PASSING
        else:
            passes = method in _TEXT_METHODS or method in _PASSING
            handed += [(function, receiver)] if method in _TEXT_METHODS else []
        return self._first(handed, given) if passes else None

    def _written(self, function: int, value: int) -> str:
        """What a call does when it gives derived text by itself, or nothing."""
        _, callee, receiver, method, args, keywords = self._names.functions[function].ops[value]
        if self._names.called(function, value) == "expose":
            return "exposed"
        if callee != -1:
            return ""
        if method in EDITS and len(args) > 1:
            return "summarized"
        if args or keywords:
            return ""
        renders = method == "render" and self._names.is_buffer(function, receiver)
        return "rendered" if renders else "exposed" if method == "expose" else ""

    def _through(
        self, inner: int, where: tuple[int, int], args: list[int], keywords: dict[str, int], given: _Given
    ) -> Source | None:
        """The source behind the result of a function of this file."""
        code = self._names.functions[inner]
        if self._names.under(inner, frozenset({"derives"})):
            return Source(*where, "summarized")
        if self._names.under(inner, TOOLS):
            return None  # reported there
        sources = self.sources_given(inner, where[0], args, keywords, given)
        return self._first(((inner, value) for value in code.returns), sources)

    def sources_given(
        self, inner: int, function: int, args: list[int], keywords: dict[str, int], given: _Given = _NOTHING
    ) -> dict[int, Source]:
        """The sources of what a call gives to a function of this file, by the index of the parameter.

        Args:
            inner: the index of the function that is called.
            function: the index of the one that calls.
            args: its values, in order.
            keywords: its values, by name.
            given: the sources of the parameters of the function that calls.
        """
        sources: dict[int, Source] = {}
        parameters = self._names.functions[inner].parameters
        named = {parameter.name for parameter in parameters}
        for index, parameter in enumerate(parameters):
            values = [keywords.get(parameter.name, args[index] if index < len(args) else -1)]
            if parameter.kind == "*":
                values = args[index:]
            elif parameter.kind == "**":
                values = [value for name, value in keywords.items() if name not in named]
            found = self._first(((function, value) for value in values), given)
            if found is not None:
                sources[index] = found
        return sources


def _operands(kind: int, fields: list[Any]) -> tuple[int, ...]:
    """The values that the text of an operation is made of."""
    if kind in {op.ITEM, op.SLICE, op.ELEMENT, op.OUT, op.DELETE}:  # a FILTER may leave out what is derived
        return (fields[0],)
    if kind in {op.CONCAT, op.FORMAT, op.PHI, op.EXIT}:
        return tuple(fields[0])
    if kind == op.LOOP:
        return (fields[0], *fields[2])
    if kind == op.BUILD:
        return tuple(value for _, value in fields[0])
    return (fields[2],) if kind in {op.SET_ATTR, op.SET_ITEM} else ()
