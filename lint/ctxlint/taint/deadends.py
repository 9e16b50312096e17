"""Does anything come of a text that is in a value? Most of what is followed only lies in an object that is handed on.

def report(run):            `run` with text in `run.notes`: a dead end, from here on
    print(run.id)           reads another field
    if run.ok:              and tests say nothing
        run = checked(run)

Worked out for all values of a function in one pass from its end to its start: what leaves the function, what is put
into something else and what goes into a call that may do anything with it is no dead end, and neither is what they
are made of. The sets hold first fields of paths; they are too large rather than too small.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import TYPE_CHECKING

from ctxlint.ir.ops import (
    ANY,
    ATTR,
    BUILD,
    CALL,
    CONCAT,
    DELETE,
    ELEMENT,
    EXIT,
    FILTER,
    FORMAT,
    ITEM,
    LOOP,
    OUT,
    PHI,
    SET_ATTR,
    SET_CAPTURE,
    SET_GLOBAL,
    SET_ITEM,
    SLICE,
    TEST,
    Op,
)
from ctxlint.taint.facts import Path
from ctxlint.taint.memos import lookups
from ctxlint.taint.names import split
from ctxlint.taint.operands import operands
from ctxlint.taint.steps import ELEMENTS, holds_text
from ctxlint.taint.unknown import STORING, gives_vectors

if TYPE_CHECKING:
    from ctxlint.taint.engine import Engine

Fields = frozenset[str]

_EVERY: Fields = frozenset({ANY})
_NONE: Fields = frozenset()
_SAME = frozenset({PHI, LOOP, EXIT, FILTER, OUT, DELETE, TEST})
_PARTS = frozenset({ITEM, SLICE, ELEMENT, FORMAT, CONCAT, BUILD})
_CHANGES = frozenset({SET_ATTR, SET_ITEM})
_SETS = _CHANGES | {SET_GLOBAL, SET_CAPTURE}
"""Their last part is the value that is put somewhere."""
_ADDS = ("__iadd__", "__add__")


class DeadEnds:
    """Answers for the values of a program."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._graph = engine.graph
        self._program = engine.graph.program
        self._known: dict[int, Sequence[Fields]] = {}
        flow = engine.graph.models.flow
        self._rounds = frozenset(name for name, higher in flow.calls.items() if higher.again)
        self._updates = flow.state_updates
        keeps = flow.sets | flow.appends | flow.extends
        self._quiet = frozenset(name for name in flow.silent - keeps if STORING.isdisjoint(split(name)[:1]))
        # `notes += [note]` changes the object itself, where a class says so.
        self._adds = any(name in self._program.methods_named for name in _ADDS)

    def has(self, function: int, value: int, path: Path) -> bool:
        """Nothing comes of text at a path of the value."""
        known = self._known.get(function)
        if known is None:
            known = self._known[function] = self._find(function)
        fields = known[value]
        if fields is _EVERY:
            return False
        if not fields:
            return True
        return bool(path) and path[0] not in fields and path[0].isidentifier()

    def _find(self, function: int) -> Sequence[Fields]:
        owner = self._program.functions[function]
        live = [_NONE] * len(owner.ops)
        for value in (*owner.returns, *owner.yields, *chain.from_iterable(owner.variables.values())):
            live[value] = _EVERY
        while self._pass(function, owner.ops, live):
            pass
        for value in lookups(self._graph, function):
            live[value] = _NONE
        return live

    def _pass(self, function: int, ops: Sequence[Op], live: list[Fields]) -> bool:
        """Go through the function once; whether something is new at the end of a loop that stands further down."""
        again = False
        for user in range(len(ops) - 1, 0, -1):
            op = ops[user]
            here = live[user]
            if op[0] not in _SAME:
                self._look(function, user, op, live)
                continue
            for value in operands(op) if here else ():
                before = live[value]
                if before is not _EVERY and not here <= before:
                    live[value] = here if here is _EVERY else before | here
                    again = again or value > user
        return again

    def _look(self, function: int, user: int, op: Op, live: list[Fields]) -> None:
        kind, here = op[0], live[user]
        if kind == ATTR:
            base: int = op[1]
            live[base] = self._below(live[base], op[2], here)
        elif kind == CALL:
            for value in operands(op) if self._goes_on(function, user, live) else ():
                live[value] = _EVERY
        elif kind in _PARTS:
            if here or (kind == CONCAT and self._adds):
                self._part(op, here, live)
        elif kind in _SETS:
            live[op[2 if kind == SET_GLOBAL else 3]] = _EVERY
            if here and kind in _CHANGES and live[op[1]] is not _EVERY:
                live[op[1]] = here if here is _EVERY else live[op[1]] | here

    def _below(self, known: Fields, name: str, here: Fields) -> Fields:
        """What is live of an object after one of its fields was read."""
        if known is _EVERY or name in self._program.properties_named:
            return _EVERY
        if not here or not (name in ELEMENTS or holds_text(self._graph, name)):
            return known
        return known | {name}

    @staticmethod
    def _part(op: Op, here: Fields, live: list[Fields]) -> None:
        if op[0] == ITEM and isinstance(op[2], str) and op[2].isidentifier():
            if live[op[1]] is not _EVERY:
                live[op[1]] = live[op[1]] | {op[2]}
        elif op[0] == BUILD:
            for name, value in op[1]:
                if here is _EVERY or name in here or not name.isidentifier():
                    live[value] = _EVERY
        else:
            for value in operands(op):
                live[value] = _EVERY

    def _goes_on(self, function: int, call: int, live: list[Fields]) -> bool:
        """Something may come of what a call gets; of what it gives, too, where it says so by its name alone."""
        name = self._graph.name(function, call)
        if name in self._rounds or name in self._updates:
            live[call] = _EVERY
            return True
        key = (function, call)
        if key in self._engine.sites:
            return True
        if key in self._engine.plain or gives_vectors(name):
            return False
        return name not in self._quiet or bool(self._graph.targets(function, call))
