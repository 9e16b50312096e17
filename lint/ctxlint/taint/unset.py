"""What a test has found empty: nothing that was kept there is read behind it.

if self.summary: return            no summary is read from self.summary below
if self.done: return               done is only ever set to True, so that what is kept below
self.done = True                   is kept once, and no read below sees it
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.ir.ops import CONST, FILTER, OUT, SET_ATTR, Op
from ctxlint.taint.program import Program


def found_empty(program: Program, function: int, base: int, *, calls: bool = False) -> frozenset[str]:
    """The fields of an object that a test found empty on the way to this value, with no call since that got it.

    Args:
        program: The program.
        function: A function.
        base: A value of it.
        calls: Whether calls that got the object are passed by: they cannot take back what is only ever set.
    """
    found: set[str] = set()
    op = program.op(function, base)
    while op[0] in {FILTER, SET_ATTR} or (calls and op[0] == OUT):
        if op[0] == FILTER:
            found.update(known.key for known in op[2] if known.kind == "has" and not known.wanted)
        op = program.op(function, op[1])
    return frozenset(found)


def kept_once(program: Program, kind: int, function: int, value: int) -> str:
    """The flag that lets an assignment to a field of a class run only once, "" when there is none."""
    op = program.op(function, value)
    if op[0] != SET_ATTR:
        return ""
    for flag in sorted(found_empty(program, function, op[1], calls=True)):
        given = list(_given(program, kind, flag))
        if (function, (CONST, True)) in given and all(_fits(program, owner, made) for owner, made in given):
            return flag
    return ""


def _given(program: Program, kind: int, flag: str) -> Iterator[tuple[int, Op]]:
    """What is assigned to a field in the methods of a class, its bases and its subclasses."""
    for other in (*program.ancestors(kind), *program.descendants(kind)):
        first = program.first_function[program.module_of_class[other]]
        for local in program.classes[other].methods.values():
            owner = program.functions[first + local]
            for op in owner.ops:
                if op[0] == SET_ATTR and op[2] == flag:
                    yield first + local, owner.ops[op[3]]


def _fits(program: Program, function: int, made: Op) -> bool:
    """Set to yes, or to no in the constructor."""
    return made == (CONST, True) or (program.functions[function].name == "__init__" and made[0] == CONST)
