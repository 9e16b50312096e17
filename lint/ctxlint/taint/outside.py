"""Objects that a function has from outside: a field or a module variable holds them after the call, too.

return self.sessions[key]              from outside
return self.ranker.sort(found)         not: what sorts is known, and gives back what it was given
"""

from __future__ import annotations

from ctxlint.ir.ops import ATTR, CALL, CAPTURE, ITEM, NAME
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.objects import sources

_MAX_DEPTH = 2
_MAX_BODIES = 2


class Outside:
    """Answers about the values of a program."""

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph
        self._program = graph.program
        self._known: dict[tuple[int, int, int], bool] = {}

    def has(self, function: int, value: int, depth: int = 0) -> bool:
        """The value is an object that a field or a module variable holds, or an element of such a collection."""
        key = (function, value, depth)
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._find(function, value, depth)
        return known

    def _find(self, function: int, value: int, depth: int) -> bool:
        pending, seen = [value], {value}
        while pending:
            current = pending.pop()
            op = self._program.op(function, current)
            if op[0] in {ATTR, NAME, CAPTURE}:
                return True
            more = sources(op) or ((op[1],) if op[0] == ITEM else (op[2],) if op[0] == CALL and op[2] >= 0 else ())
            if op[0] == CALL and more and self._gives_own(function, current, depth):
                more = tuple(op[4])
            pending.extend(held for held in more if held not in seen)
            seen.update(more)
        return False

    def _gives_own(self, function: int, call: int, depth: int) -> bool:
        """What a call runs is known, and gives nothing but what it made or was given."""
        bodies = [target.function for target in self._graph.targets(function, call)]
        if not 0 < len(bodies) <= _MAX_BODIES or depth >= _MAX_DEPTH:
            return False
        return all(self._returns_own(body, depth) for body in bodies)

    def _returns_own(self, function: int, depth: int) -> bool:
        owner = self._program.functions[function]
        if not owner.returns or owner.abstract:
            return False
        return not any(self.has(function, held, depth + 1) for held in owner.returns)
