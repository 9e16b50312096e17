"""Captured variables: does a nested function see a value in the round that assigned it, or in the next?

for ticket in tickets:
def fold():
return llm.summarize(memo + ticket)      reads memo before this round assigns it:
memo = fold()                                what it sees is from the round before
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxlint.ir.ops import FUNC
from ctxlint.taint.facts import loop_of

if TYPE_CHECKING:
    from ctxlint.taint.engine import Engine
    from ctxlint.taint.heap import Cell


def comes_around(engine: Engine, cell: Cell, value: int) -> bool:
    """A function that reads the variable is used in the loop before the loop assigns this value to it."""
    function = cell.owner
    owner = engine.program.functions[function]
    number = loop_of(owner, value)
    if not number:
        return False
    while owner.loops[number].parent:
        number = owner.loops[number].parent
    start = owner.loops[number].start
    return any(start <= use <= value for use in _uses(engine, cell))


def _uses(engine: Engine, cell: Cell) -> Iterator[int]:
    """Where the function of the variable uses those that read it; where it defines them, when it only does that."""
    program = engine.program
    owner = program.functions[cell.owner]
    inner = {_child(engine, cell.owner, function) for function, _ in engine.heap.readers(cell)}
    for value, op in enumerate(owner.ops):
        if op[0] == FUNC and program.function_id(cell.owner, op[1]) in inner:
            yield from engine.uses(cell.owner).get(value, (value,))


def _child(engine: Engine, function: int, inner: int) -> int:
    """The function that is defined in the body of `function` and holds `inner`."""
    program = engine.program
    while inner != function:
        owner = program.functions[inner].owner
        outer = program.function_id(inner, owner) if owner >= 0 else -1
        if outer in {function, -1}:
            break
        inner = outer
    return inner
