"""Fields of classes: which values are put there, and of which classes they are.

    class Desk:
        notes: Notes                         types(Desk, "notes") -> Notes, declared
        def __init__(self):
            self.notes = Notes()             of(Desk, "notes") -> the call; types -> Notes, constructed
        def close(self):
            self.notes.open = False          the field stays what it is

A class without constructor has the fields that its calls pass by keyword.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxlint.ir.ops import SET_ATTR, Op
from ctxlint.taint.declared import Kind
from ctxlint.taint.objects import is_property
from ctxlint.taint.program import Ref
from ctxlint.taint.selves import is_own, is_put_back

if TYPE_CHECKING:
    from ctxlint.taint.values import Values

_CONSTRUCTORS = frozenset({"__init__", "__post_init__", "model_post_init", "__new__"})
_MAX_CONSTRUCTIONS = 12
_MAX_TOOLS = 2


class Fields:
    """Answers about the fields of a program's classes. What everybody constructs is one of the `tools`."""

    def __init__(self, values: Values, tools: frozenset[str]) -> None:
        self._values = values
        self._program = values.program
        self._tools = tools
        self._known: dict[int, dict[str, list[tuple[int, int]]]] = {}
        self.given: set[tuple[int, int]] = set()
        """What calls of a class without constructor pass by keyword, where a field was asked for."""

    def of(self, kind: int, name: str, *, below: bool = True) -> Iterator[tuple[int, int]]:
        """The values that are assigned to a field in the class, its bases and, `below`, its subclasses."""
        for other in (*self._program.ancestors(kind), *(self._program.descendants(kind) if below else ())):
            yield from self._own(other).get(name, ())

    def names(self, kind: int) -> list[str]:
        """The fields that a class, and nothing above or below it, assigns."""
        return list(self._own(kind))

    def types(self, kind: int, name: str) -> Iterator[Kind]:
        """The classes of what a field holds: constructed ones first.

        What a later method puts there instead is one class of several that the field is declared to hold.
        """
        declared = tuple(self._declared(kind, name))
        for holder, held in self._set(kind, name):
            owner = self._program.functions[holder]
            later = bool(declared) and owner.class_index >= 0 and owner.name not in _CONSTRUCTORS
            for found in self._values.types(holder, held):
                yield found._replace(declared=True) if later else found
        yield from declared

    def _set(self, kind: int, name: str) -> Iterator[tuple[int, int]]:
        """Where a field is set to something new. What a base has in its body, a class replaces by its own."""
        bodies = [other for other in self._program.ancestors(kind) if name in self._program.classes[other].attributes]
        hidden = {(self._body(other), self._program.classes[other].attributes[name]) for other in bodies[1:]}
        for holder, held in self.of(kind, name):
            owner = self._program.functions[holder]
            if not is_put_back(owner, held, name) and (holder, held) not in hidden:
                yield holder, held

    def _body(self, kind: int) -> int:
        """The function in which a class stands."""
        program = self._program
        return program.first_function[program.module_of_class[kind]] + program.classes[kind].owner

    def _declared(self, kind: int, name: str) -> Iterator[Kind]:
        program = self._program
        method = program.method(kind, name)
        if method >= 0 and is_property(program.functions[method].decorators):
            yield from self._values.result_types(method)
        for ancestor in program.ancestors(kind):
            owner = program.classes[ancestor]
            text = owner.annotations.get(name) or owner.hints.get(name)
            if text:
                yield from self._values.annotated(program.module_of_class[ancestor], text)
                return

    def _own(self, kind: int) -> dict[str, list[tuple[int, int]]]:
        known = self._known.get(kind)
        if known is not None:
            return known
        program = self._program
        first = program.first_function[program.module_of_class[kind]]
        found: dict[str, list[tuple[int, int]]] = {}
        for name, value in program.classes[kind].attributes.items():
            found.setdefault(name, []).append((self._body(kind), value))
        for local in program.classes[kind].methods.values():
            function = first + local
            for op in program.functions[function].ops:
                if op[0] == SET_ATTR and is_own(program.functions[function], op[1]):
                    found.setdefault(op[2], []).append((function, op[3]))
        self._known[kind] = found
        self._constructed(kind, found)
        return found

    def _constructed(self, kind: int, found: dict[str, list[tuple[int, int]]]) -> None:
        """Fields of a class without constructor are what its calls pass by keyword."""
        program = self._program
        if program.method(kind, "__init__") >= 0:
            return
        name = program.classes[kind].name
        calls: list[tuple[int, Op]] = []
        for function, call in program.places("calls", name):
            op = program.op(function, call)
            if op[1] >= 0 and Ref("class", kind) in self._values.refs(function, op[1]):
                calls.append((function, op))
        # What everybody constructs is a tool: its fields say nothing about one use of it.
        if len(calls) <= (_MAX_TOOLS if name in self._tools else _MAX_CONSTRUCTIONS):
            for function, op in calls:
                for keyword, value in op[5]:
                    found.setdefault(keyword, []).append((function, value))
                    self.given.add((function, value))
