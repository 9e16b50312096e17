"""What objects are made of: which argument of a constructor a field of the new object is.

class Run:                                      @dataclass
    def __init__(self, turns, limit):           class Run:
        self.turns = turns                          turns: list
                                                    limit: int

run = Run(self.turns, limit=8)                  `run.turns` is `self.turns`, so that who changes one changes both
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.ir.ops import CALL, PARAM, SET_ATTR
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.marks import field_at


def made_of(graph: CallGraph, function: int, call: int, field: str) -> tuple[int, ...]:
    """The arguments of a call that makes an object which are a field of the object."""
    op = graph.program.op(function, call)
    if op[0] != CALL or not field.isidentifier():
        return ()
    targets = graph.targets(function, call)
    if not targets:
        name = graph.name(function, call)
        if op[1] < 0 or not name[:1].isupper() or name.isupper():
            return ()
        given = [value for keyword, value in op[5] if keyword == field]
        given += [value for at, value in enumerate(op[4]) if field_at(graph, function, op, at) == field]
        return tuple(given)
    return tuple(
        value
        for target in targets
        if target.made >= 0
        for value, position in graph.passes(function, call, target)
        if position > 0 and any(position == kept for kept in _kept_as(graph, target.function, field))
    )


def _kept_as(graph: CallGraph, constructor: int, field: str) -> Iterator[int]:
    """The parameters that a constructor assigns to a field as they are."""
    ops = graph.program.functions[constructor].ops
    for op in ops:
        if op[0] == SET_ATTR and op[2] == field and ops[op[1]][:2] == (PARAM, 0) and ops[op[3]][0] == PARAM:
            yield ops[op[3]][1]
