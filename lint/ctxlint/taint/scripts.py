"""Scripts: calls whose question stands whole in their function, put to an object that was just made of nothing else.

    def main():
        agent = Agent(model=load_model())
        print(agent.run("Look the project up and summarize what it is."))        a task for an agent, no context

Nothing of a conversation can be in it: nobody gave the function one, and the object has not been asked before.
"""

from __future__ import annotations

from collections.abc import Iterable

from ctxlint.ir.ops import ATTR, BUILD, CALL, CAPTURE, CONCAT, CONST, ELEMENT, EXIT, FORMAT, LOOP, NAME, PARAM, PHI
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.operands import operands

_WHOLE = frozenset({BUILD, CONCAT, EXIT, FORMAT, PHI})
_TEXTS = frozenset({"cleandoc", "dedent", "format", "join", "str", "strip"})
_GIVEN = frozenset({CAPTURE, ELEMENT, LOOP, PARAM})
_MAX_VALUES = 200


def is_scripted(graph: CallGraph, function: int, call: int, inputs: Iterable[int]) -> bool:
    """A call is asked with constants alone, and its object is new and made of nothing that the function was given."""
    receiver = graph.program.op(function, call)[2]
    holder = receiver if receiver >= 0 else graph.program.op(function, call)[1]
    return _constant(graph, function, inputs) and _new(graph, function, holder)


def _constant(graph: CallGraph, function: int, values: Iterable[int]) -> bool:
    """The values are constants, and texts, collections and records of constants."""
    program = graph.program
    pending = list(values)
    seen: set[int] = set()
    while pending and len(seen) < _MAX_VALUES:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        op = program.op(function, value)
        if op[0] == NAME:
            held = program.global_value(program.module_of[function], op[1])
            if held is None or program.op(*held)[0] != CONST:
                return False
        elif op[0] == CALL:
            name = graph.name(function, value)
            if name not in _TEXTS and not name[:1].isupper():
                return False
            pending.extend(
                (*op[4], *(held for _, held in op[5]), *((op[2],) if name in _TEXTS and op[2] >= 0 else ()))
            )
        elif op[0] in _WHOLE:
            pending.extend(operands(op))
        elif op[0] != CONST:
            return False
    return not pending


def _new(graph: CallGraph, function: int, holder: int) -> bool:
    """The object was made in the function, was not asked since, and holds nothing that came from outside."""
    ops = graph.program.functions[function].ops
    first = holder
    while ops[first][0] == ATTR:
        first = ops[first][1]
    if ops[first][0] != CALL:
        return False
    pending, seen = [first], set[int]()
    while pending and len(seen) < _MAX_VALUES:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        if ops[value][0] in _GIVEN:
            return False
        pending.extend(held for held in operands(ops[value]) if held not in seen)
    return not pending
