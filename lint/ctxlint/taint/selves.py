"""The own object of a method, also behind what happened to it on the way.

class Agent:
    def __init__(self, llm):
        register(self)              from here on `self` is what the call left of it: the same object
        self.llm = llm              a field of the own object all the same
"""

from __future__ import annotations

from ctxlint.ir import FunctionIR
from ctxlint.ir.ops import ATTR, EXIT, FILTER, LOOP, OUT, PARAM, PHI, SET_ATTR, Op

_SAME_OBJECT = frozenset({LOOP, OUT, FILTER, SET_ATTR, PHI, EXIT})


def origin(ops: tuple[Op, ...], value: int) -> int:
    """Where an object comes from: tests, joins and changes leave it the same. The first way in tells which it is."""
    op = ops[value]
    while op[0] in _SAME_OBJECT and op[1]:
        value = op[1][0] if op[0] in {PHI, EXIT} else op[1]
        op = ops[value]
    return value


def has_self(owner: FunctionIR) -> bool:
    """A method with an object of its own: the first parameter of a static method is any object that it is given."""
    return owner.class_index >= 0 and "staticmethod" not in owner.decorators


def is_own(owner: FunctionIR, value: int) -> bool:
    """The value is the object whose method the function is."""
    return has_self(owner) and owner.ops[origin(owner.ops, value)][:2] == (PARAM, 0)


def is_put_back(owner: FunctionIR, value: int, field: str) -> bool:
    """What is assigned to a field was read from it: `self.out.print(text)` changes what is there and leaves it there.

    A class may do so hundreds of times; each would ask the one before it what the field holds.
    """
    op = owner.ops[value]
    while op[0] in {OUT, SET_ATTR}:
        op = owner.ops[op[1]]
    return op[0] == ATTR and op[2] == field and is_own(owner, op[1])
