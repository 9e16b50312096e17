"""Does anybody look there? Which fields of an object a function reads, itself or in what it hands the object to.

def save(run):              the fields of `run`: {"id", "status"}
    log(run.id)             ... so that text in run.notes is not followed into save()
    mark(run)
def mark(run):
    run.status = "saved"

Objects with a summary somewhere in them are handed through half of a program. Most of it never looks at that field.
"""

from __future__ import annotations

from ctxlint.ir.ops import (
    ANY,
    ATTR,
    CALL,
    CONST,
    DELETE,
    EXIT,
    FILTER,
    ITEM,
    LOOP,
    OUT,
    PHI,
    SET_ATTR,
    SET_ITEM,
    TEST,
    Op,
)
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.dispatch import is_open
from ctxlint.taint.facts import Path
from ctxlint.taint.names import split

_SAME = frozenset({PHI, LOOP, EXIT, FILTER, OUT, DELETE})
_MAX_DEPTH = 4
_EVERY = frozenset({ANY})
_NONE: frozenset[str] = frozenset()


class Accepting:
    """Answers for values of a program; what is not known to be left alone is read."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self.program = graph.program
        self._known: dict[tuple[int, int], frozenset[str]] = {}
        self._ends: dict[int, frozenset[int]] = {}

    def may_read(self, function: int, value: int, path: Path) -> bool:
        """Some use of the value may lead to the path: `self.state.turns` alone does not lead to `state.notes`."""
        if not path or not path[0].isidentifier():
            return True
        fields = self._fields(function, value, 0)
        return ANY in fields or path[0] in fields

    def _fields(self, function: int, value: int, depth: int) -> frozenset[str]:
        key = (function, value)
        known = self._known.get(key)
        if known is None:
            if depth > _MAX_DEPTH:
                return _EVERY
            self._known[key] = _EVERY
            known = self._known[key] = self._find(function, value, depth)
        return known

    def _find(self, function: int, value: int, depth: int) -> frozenset[str]:
        ends = self._leaving(function)
        uses = self.graph.uses(function)
        ops = self.program.functions[function].ops
        found: set[str] = set()
        pending, same = [value], {value}
        while pending:
            current = pending.pop()
            if current in ends:
                return _EVERY
            for user in uses.get(current, ()):
                op = ops[user]
                if op[0] in _SAME or (op[0] in {SET_ATTR, SET_ITEM} and op[1] == current != op[3]):
                    if user not in same:
                        same.add(user)
                        pending.append(user)
                    continue
                found |= self._used(function, current, user, op, depth)
                if ANY in found:
                    return _EVERY
        return frozenset(found)

    def _used(self, function: int, value: int, user: int, op: Op, depth: int) -> frozenset[str]:
        kind = op[0]
        if kind == TEST:
            return _NONE
        if kind == ITEM and isinstance(op[2], str):
            return frozenset({op[2]})
        targets = self.graph.targets(function, user) if kind in {CALL, ATTR} else ()
        if kind == ATTR and not targets:
            return frozenset({op[2]})
        if not targets:
            return self._unknown(function, value, op) if kind == CALL else _EVERY
        found = set(self._unknown(function, value, op)) if is_open(self.graph, function, user) else set[str]()
        for target in targets:
            for link in self.graph.passed(function, user, target):
                if link.value == value:
                    if link.put or link.taken:
                        return _EVERY
                    found |= self._fields(target.function, link.parameter + 1, depth + 1)
        return frozenset(found)

    def _unknown(self, function: int, value: int, op: Op) -> frozenset[str]:
        flow = self.graph.models.flow
        name = op[3] or str((self.program.op(function, op[1])[1:2] or ("",))[0])
        if name in flow.silent or (split(name) or ("",))[0] in flow.silent_words:
            return _NONE
        if op[2] == value and name in flow.keyed and op[4]:
            key = self.program.op(function, op[4][0])
            if key[0] == CONST and isinstance(key[1], str):
                return frozenset({key[1]})
        return _EVERY

    def _leaving(self, function: int) -> frozenset[int]:
        """The values that leave a function: by its end, or by a variable that a nested one captures."""
        known = self._ends.get(function)
        if known is None:
            owner = self.program.functions[function]
            captured = {value for values in owner.variables.values() for value in values}
            known = self._ends[function] = frozenset({*owner.returns, *owner.yields, *captured})
        return known
