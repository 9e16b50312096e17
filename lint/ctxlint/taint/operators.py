"""Operators that run methods of linted classes: a history that is no list, but is used as one.

class History:
    def __iter__(self): return iter(self._turns)            for turn in agent.history
    def __getitem__(self, at): return self._turns[at]       agent.history[-1], agent.history[:-2]
    def __add__(self, other): ...                           agent.history + [turn]

Values of such a class are found where the class is constructed, and where annotations name it: every subscript of a
program would be too many to ask.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxlint.ir.ops import CONCAT, ELEMENT, FILTER, ITEM, LOOP, OUT, PARAM, PHI, SLICE, Op
from ctxlint.taint.target import Target

if TYPE_CHECKING:
    from ctxlint.taint.callgraph import CallGraph

_METHODS: dict[int, tuple[str, ...]] = {
    ITEM: ("__getitem__",),
    SLICE: ("__getitem__",),
    ELEMENT: ("__iter__", "__aiter__"),
    CONCAT: ("__add__", "__iadd__"),
}
OPERATORS = frozenset(_METHODS)
_RUN = frozenset(name for names in _METHODS.values() for name in names)
_SAME = frozenset({OUT, FILTER, PHI, LOOP})
_MAX_STEPS = 40


class Operators:
    """Answers about the operators of a program."""

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph
        self._program = graph.program
        self._annotated: dict[str, list[tuple[int, int]]] | None = None
        self._fields: dict[str, list[str]] | None = None

    def targets(self, function: int, value: int) -> Iterator[Target]:
        """The linted methods that an operation may run."""
        op = self._program.op(function, value)
        base = _base(op)
        for kind in self._graph.values.types(function, base):
            for name in _METHODS[op[0]] if isinstance(kind.target, int) else ():
                method = self._program.method(int(kind.target), name)
                if method >= 0:
                    yield Target(method, receiver=base, bound=True)
                    break

    def users(self, method: int) -> Iterator[tuple[int, int]]:
        """The operations that may run a method."""
        program = self._program
        kind = program.class_of(method)
        if program.functions[method].name not in _RUN or kind < 0:
            return
        for owner in (kind, *program.descendants(kind)):
            for function, value in self._objects(program.classes[owner].name):
                yield from self._operations(function, value)

    def _objects(self, name: str) -> Iterator[tuple[int, int]]:
        """The values that are known to be of a class by its name: made here, in a parameter, read from a field."""
        program = self._program
        yield from program.places("calls", name)
        if self._annotated is None or self._fields is None:
            self._annotated, self._fields = self._index()
        yield from self._annotated.get(name, ())
        fields = dict.fromkeys(self._fields.get(name, ()))
        for function, call in program.places("calls", name):
            held = program.functions[function].names.get(call, "")
            if held.startswith("self."):
                fields[held.rpartition(".")[2]] = None
        for field in fields:
            yield from program.places("attributes", field)

    def _index(self) -> tuple[dict[str, list[tuple[int, int]]], dict[str, list[str]]]:
        annotated: dict[str, list[tuple[int, int]]] = {}
        for function, owner in enumerate(self._program.functions):
            for position, parameter in enumerate(owner.parameters):
                for word in parameter.annotation.split():
                    annotated.setdefault(word.rpartition(".")[2], []).append((function, position + 1))
        fields: dict[str, list[str]] = {}
        for kind in self._program.classes:
            for field, text in (*kind.annotations.items(), *kind.hints.items()):
                for word in text.split():
                    fields.setdefault(word.rpartition(".")[2], []).append(field)
        return annotated, fields

    def _operations(self, function: int, value: int) -> Iterator[tuple[int, int]]:
        """The operations on a value, also after what happened to it."""
        owner = self._program.functions[function]
        if value >= len(owner.ops) or (owner.ops[value][0] == PARAM and owner.ops[value][1] != value - 1):
            return
        uses = self._graph.uses(function)
        pending, seen = [value], {value}
        while pending and len(seen) < _MAX_STEPS:
            for user in uses.get(pending.pop(), ()):
                op = owner.ops[user]
                if op[0] in _SAME and user not in seen:
                    seen.add(user)
                    pending.append(user)
                elif op[0] in OPERATORS and _base(op) in seen:
                    yield function, user


def _base(op: Op) -> int:
    return int(op[1][0] if op[0] == CONCAT else op[1])
