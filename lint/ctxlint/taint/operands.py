"""The def-use graph in both directions: what an operation is made of, and where a value is used."""

from __future__ import annotations

from ctxlint.ir import FunctionIR
from ctxlint.ir.ops import (
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

_FIRST = frozenset({ATTR, ITEM, SLICE, ELEMENT, FILTER, OUT, DELETE})
_MANY = frozenset({PHI, EXIT, CONCAT, FORMAT})
_BASE_AND_VALUE = frozenset({SET_ATTR, SET_ITEM})


def operands(op: Op) -> tuple[int, ...]:
    """The values that an operation reads."""
    kind = op[0]
    if kind in _FIRST:
        return (op[1],)
    if kind in _MANY:
        return op[1]
    if kind == CALL:
        return (*(value for value in op[1:3] if value >= 0), *op[4], *(value for _, value in op[5]))
    if kind == BUILD:
        return tuple(value for _, value in op[1])
    if kind == LOOP:
        return (op[1], *op[3])
    if kind in _BASE_AND_VALUE:
        return (op[1], op[3])
    if kind == TEST:
        return op[2]
    if kind == SET_GLOBAL:
        return (op[2],)
    return (op[3],) if kind == SET_CAPTURE else ()


def uses(function: FunctionIR) -> dict[int, tuple[int, ...]]:
    """For each value, the values that are made of it."""
    found: dict[int, list[int]] = {}
    for user, op in enumerate(function.ops):
        for value in dict.fromkeys(operands(op)):
            found.setdefault(value, []).append(user)
    return {value: tuple(users) for value, users in found.items()}
