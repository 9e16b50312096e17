"""The classes of what collections hold.

self.notes: list[Note] = []        for note in self.notes     a Note, declared
drafts = [Draft(t) for t in parts]     drafts[0]              a Draft, made here
rows = list(store.rows())          rows: list[Row]            what `rows` says it returns
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from ctxlint.ir.ops import ATTR, BUILD, CALL, IN_LIST, PARAM, SLICE, Op
from ctxlint.taint.declared import Declared, Kind
from ctxlint.taint.objects import is_property, sources

if TYPE_CHECKING:
    from ctxlint.taint.values import Values

_COLLECTS = frozenset({"list", "tuple", "sorted", "reversed", "set", "deque"})
"""Calls that give what they get in another collection."""


class Elements:
    """Finds the classes of the elements of a value; `Values` remembers them."""

    def __init__(self, values: Values, declared: Declared) -> None:
        self._values = values
        self._program = values.program
        self._declared = declared
        self._finders: dict[int, Callable[[int, Op], Iterator[Kind]]] = {
            PARAM: self._parameter,
            ATTR: self._field,
            CALL: self._result,
            SLICE: self._part,
            BUILD: self._built,
        }

    def find(self, function: int, value: int) -> Iterator[Kind]:
        """What the value holds, first what its own operation tells."""
        op = self._program.op(function, value)
        finder = self._finders.get(op[0])
        if finder is not None:
            yield from finder(function, op)
        hint = self._program.functions[function].hints.get(value)
        if hint:
            yield from self._declared.element_kinds(self._program.module_of[function], hint)
        for source in sources(op):
            yield from self._values.elements(function, source)

    def _parameter(self, function: int, op: Op) -> Iterator[Kind]:
        index: int = op[1]
        annotation = self._program.functions[function].parameters[index].annotation
        yield from self._declared.element_kinds(self._program.module_of[function], annotation)

    def _field(self, function: int, op: Op) -> Iterator[Kind]:
        for owner in self._values.types(function, op[1]):
            if isinstance(owner.target, int):
                yield from self._held(owner.target, op[2])

    def _held(self, owner: int, name: str) -> Iterator[Kind]:
        program = self._program
        for kind in program.ancestors(owner):
            known = program.classes[kind]
            text = known.annotations.get(name) or known.hints.get(name)
            if text:
                yield from self._declared.element_kinds(program.module_of_class[kind], text)
                return
        method = program.method(owner, name)
        if method >= 0 and is_property(program.functions[method].decorators):
            yield from self._declared.element_kinds(program.module_of[method], program.functions[method].annotation)

    def _result(self, function: int, op: Op) -> Iterator[Kind]:
        program, values = self._program, self._values
        for ref in values.callees(function, op):
            if ref.kind == "function" and isinstance(ref.target, int):
                made = program.functions[ref.target].annotation
                yield from self._declared.element_kinds(program.module_of[ref.target], made)
        if op[2] >= 0 and op[3] == "copy":
            yield from values.elements(function, op[2])
        if op[4] and any(name.rpartition(".")[2] in _COLLECTS for name in values.callee_names(function, op)):
            yield from values.elements(function, op[4][0])

    def _part(self, function: int, op: Op) -> Iterator[Kind]:
        yield from self._values.elements(function, op[1])

    def _built(self, function: int, op: Op) -> Iterator[Kind]:
        for field, held in op[1]:
            if field == IN_LIST:
                yield from self._values.types(function, held)
            elif not field:
                yield from self._values.elements(function, held)
