"""Functions that are handed on: as parameters of parameters, through functions that return functions, in lists.

def stamped(inner):                         `inner` is whatever callers of stamped() pass
    def wrapped(event): inner(event)
    return wrapped                          ... and a call of stamped() is `wrapped`
self.emit = stamped(each([self.keep]))      so that `self.emit(event)` runs `wrapped`, that what each() returns,
                                            and that self.keep
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxlint.ir.ops import CALL, CAPTURE, CONCAT, ELEMENT, FILTER, LOOP, OUT, PARAM
from ctxlint.taint.program import Ref

if TYPE_CHECKING:
    from ctxlint.taint.callgraph import CallGraph

_MAX_DEPTH = 4
_MAX_CALLERS = 12
_MAX_HELD = 6
"""Who holds more functions than this in one collection has a registry: which of them a call runs is not known."""
_COPIES = frozenset({"list", "tuple", "reversed", "sorted", "copy"})

Where = tuple[int, int]


class Handed:
    """Answers about the functions that a program hands on."""

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph
        self._program = graph.program
        self._known: dict[Where, tuple[Ref, ...]] = {}
        self._listed: dict[Where, tuple[Ref, ...]] = {}

    def functions(self, function: int, callee: int, depth: int = 0) -> tuple[Ref, ...]:
        """The functions that callers pass as what is called here: a parameter, of this or an enclosing function."""
        key = (function, self._origin(function, callee))
        known = self._known.get(key)
        if known is None:
            self._known[key] = ()
            known = self._known[key] = tuple(dict.fromkeys(self._find(*key, depth)))
        return known

    def _origin(self, function: int, value: int) -> int:
        op = self._program.op(function, value)
        while op[0] in {LOOP, OUT, FILTER} and op[1]:
            value = op[1]
            op = self._program.op(function, value)
        return value

    def _find(self, function: int, value: int, depth: int) -> Iterator[Ref]:
        op = self._program.op(function, value)
        if op[0] == ELEMENT:
            for where in self._parameters(function, op[1]):
                yield from self._elements(*where, depth)
            return
        for holder, parameter in self._parameters(function, value):
            if self._program.op(holder, parameter)[1] == 0:
                yield from (Ref("function", worn) for worn in self._graph.indirect.wearers(holder))
            for caller, given in self._given(holder, parameter):
                yield from self._refs(caller, given, depth)

    def _refs(self, function: int, value: int, depth: int) -> Iterator[Ref]:
        found = [ref for ref in self._graph.values.refs(function, value) if ref.kind == "function"]
        yield from found
        if not found and depth < _MAX_DEPTH:
            yield from self.functions(function, value, depth + 1)

    def parameters(self, function: int, value: int) -> tuple[Where, ...]:
        """The parameters that a value is, of this function or of one around it."""
        return tuple(self._parameters(function, value))

    def _parameters(self, function: int, value: int) -> Iterator[Where]:
        """The parameters that a value is: of this function, or captured from one around it."""
        value = self._origin(function, value)
        op = self._program.op(function, value)
        if op[0] == PARAM:
            yield function, value
        elif op[0] == CAPTURE:
            owner = self._program.function_id(function, op[2])
            for held in self._program.functions[owner].variables.get(op[1], ()):
                yield from self._parameters(owner, held)
        elif op[0] == CALL and op[4] and self._graph.name(function, value) in _COPIES:
            yield from self._parameters(function, op[4][0])

    def _given(self, function: int, parameter: int) -> Iterator[Where]:
        index = self._program.op(function, parameter)[1]
        callers = self._graph.callers(function)
        for caller, call in callers if len(callers) <= _MAX_CALLERS else ():
            for value in self._graph.arguments(caller, call, function, index):
                yield caller, value

    def _elements(self, function: int, parameter: int, depth: int) -> Iterator[Ref]:
        """The functions in the lists that callers pass."""
        for caller, given in self._given(function, parameter):
            contents = self._contents(caller, given, 0)
            held = dict.fromkeys(ref for where in contents for ref in self._refs(*where, depth + 1))
            yield from held if len(held) <= _MAX_HELD else ()

    def _contents(self, function: int, value: int, depth: int) -> Iterator[Where]:
        """What is in a list that is put together: `[first] + more + [last]`."""
        for same in self._graph.values.same(function, value):
            op = self._program.op(function, same)
            if op[0] == CONCAT and depth < _MAX_DEPTH:
                for part in op[1]:
                    yield from self._contents(function, part, depth + 1)
            else:
                yield from self._graph.indirect.contents(function, same)
