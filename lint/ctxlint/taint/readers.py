"""Who reads a text that is in a value: the operations that a fact is followed into.

    run.events, run.status, save(run)      of these, text in run.events is read by the first and the last

Objects are handed through long functions which read many fields of them. Which reads may see the text depends on the
value and on the first field of the path alone, so that it is worked out once for all facts of that kind.
"""

from __future__ import annotations

from typing import NamedTuple

from ctxlint.ir.ops import ANY, ATTR, CALL, IN_LIST, Op
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.facts import HELD, Path
from ctxlint.taint.operators import OPERATORS
from ctxlint.taint.steps import ELEMENTS

_RUNNING = OPERATORS | {ATTR}


class Reader(NamedTuple):
    """An operation, and whether it `runs` a function: a call, a property, `__getitem__` or the like."""

    user: int
    op: Op
    runs: bool


class Readers:
    """Answers for the values of a program."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self.program = graph.program
        self._known: dict[tuple[int, int, str], tuple[Reader, ...]] = {}
        self._learned = 0

    def of(self, function: int, value: int, path: Path) -> tuple[Reader, ...]:
        """The operations that may read text at a path of a value."""
        if self._learned != self.graph.learned:
            self._known.clear()
            self._learned = self.graph.learned
        key = (function, value, path[0] if path else "")
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = tuple(self._find(*key))
        return known

    def _find(self, function: int, value: int, field: str) -> list[Reader]:
        ops = self.program.functions[function].ops
        found: list[Reader] = []
        for user in self.graph.uses(function).get(value, ()):
            op = ops[user]
            runs = op[0] == CALL or (op[0] in _RUNNING and self._runs(function, user, op, field))
            if runs or op[0] != ATTR or _may_hold(op[2], field):
                found.append(Reader(user, op, runs))
        return found

    def _runs(self, function: int, user: int, op: Op, field: str) -> bool:
        if self.graph.targets(function, user):
            return True
        head = field if op[0] == ATTR else ""
        named = op[2] if head.isidentifier() else head
        return head != named and self.graph.ducks.read_by(function, user, head)


def _may_hold(name: str, field: str) -> bool:
    """What is read under a name may hold text in a field of the object."""
    return field in {"", ANY, name} or field[0] == HELD or (field == IN_LIST and name in ELEMENTS)
