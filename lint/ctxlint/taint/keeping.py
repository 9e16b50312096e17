"""Does an object keep what its method is given, or does the method hand it to a place outside of the program?

def add(self, note): self.notes.append(note)               kept: its field is followed like any other
def add(self, note): self.conn.execute(INSERT, note.text)   handed out: nothing of the program holds it now
"""

from __future__ import annotations

from ctxlint.ir.ops import ANY, ATTR, CALL, FILTER, ITEM, OUT, PARAM, SET_ATTR, SET_ITEM
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.checks import passing
from ctxlint.taint.facts import Fact
from ctxlint.taint.objects import sources

_MAX_DEPTH = 3


class Keeping:
    """Answers about the methods of a program."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self._known: dict[int, bool] = {}

    def hands_out(self, function: int) -> bool:
        """A method of a linted class does not change its own object, and calls what nobody can look into."""
        owner = self.graph.program.functions[function]
        return owner.class_index >= 0 and not owner.abstract and not self._keeps(function, 0)

    def _keeps(self, function: int, depth: int) -> bool:
        known = self._known.get(function)
        if known is None:
            self._known[function] = False
            known = self._known[function] = self._finds(function, depth)
        return known

    def _finds(self, function: int, depth: int) -> bool:
        flow = self.graph.models.flow
        dark = False
        for call, op in enumerate(self.graph.program.functions[function].ops):
            if op[0] in {SET_ATTR, SET_ITEM} and self._own(function, op[1]):
                return True
            if op[0] != CALL:
                continue
            targets = self.graph.targets(function, call)
            grows = op[3] in flow.appends or op[3] in flow.extends or op[3] in flow.sets
            if grows and op[2] > 1 and not targets and self._own(function, op[2]):
                return True
            dark = dark or not targets
            for target in targets:
                inner = self.graph.program.functions[target.function]
                own = inner.class_index >= 0 and target.receiver >= 0 and self._own(function, target.receiver)
                if own and depth < _MAX_DEPTH and self._keeps(target.function, depth + 1):
                    return True
        return not dark

    def _own(self, function: int, value: int) -> bool:
        """The value is the method's object or something in it."""
        program = self.graph.program
        for _ in range(_MAX_DEPTH * 4):
            op = program.op(function, value)
            if op[:2] == (PARAM, 0):
                return True
            inner = (op[1],) if op[0] in {ATTR, ITEM, OUT} else sources(op)
            if not inner:
                return False
            value = inner[0]
        return False

    def filters(self, function: int, fact: Fact) -> bool:
        """A function leaves out what bears a mark."""
        return any(
            op[0] == FILTER and passing(self.graph, function, op[2], fact.mark, fact.path or (ANY,)) is None
            for op in self.graph.program.functions[function].ops
        )
