"""The def-use graph in both directions: what an operation is made of, and where a value is used."""

from __future__ import annotations

from collections.abc import Callable, Mapping

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

Read = Callable[[Op], tuple[int, ...]]


def _first(op: Op) -> tuple[int, ...]:
    return (op[1],)


def _second(op: Op) -> tuple[int, ...]:
    return (op[2],)


def _third(op: Op) -> tuple[int, ...]:
    return (op[3],)


def _all(op: Op) -> tuple[int, ...]:
    return tuple(op[1])


def _base_and_value(op: Op) -> tuple[int, ...]:
    return (op[1], op[3])


def _loop(op: Op) -> tuple[int, ...]:
    return (op[1], *op[3])


def _call(op: Op) -> tuple[int, ...]:
    return (*(value for value in op[1:3] if value >= 0), *op[4], *(value for _, value in op[5]))


def _build(op: Op) -> tuple[int, ...]:
    return tuple(value for _, value in op[1])


def _test(op: Op) -> tuple[int, ...]:
    return tuple(op[2])


_ONE = frozenset({ATTR, ITEM, SLICE, ELEMENT, FILTER, OUT, DELETE})
_READS: Mapping[int, Read] = {
    **dict.fromkeys(_ONE, _first),
    **dict.fromkeys((PHI, EXIT, CONCAT, FORMAT), _all),
    **dict.fromkeys((SET_ATTR, SET_ITEM), _base_and_value),
    CALL: _call,
    BUILD: _build,
    LOOP: _loop,
    TEST: _test,
    SET_GLOBAL: _second,
    SET_CAPTURE: _third,
}


def operands(op: Op) -> tuple[int, ...]:
    """The values that an operation reads."""
    read = _READS.get(op[0])
    return read(op) if read is not None else ()


def uses(function: FunctionIR) -> dict[int, tuple[int, ...]]:
    """For each value, the values that are made of it."""
    found: dict[int, list[int]] = {}
    for user, op in enumerate(function.ops):
        kind = op[0]
        if kind in _ONE:
            users = found.get(op[1])
            if users is None:
                found[op[1]] = [user]
            else:
                users.append(user)
            continue
        read = _READS.get(kind)
        values = read(op) if read is not None else ()
        for value in dict.fromkeys(values) if len(values) > 1 else values:
            users = found.get(value)
            if users is None:
                found[value] = [user]
            else:
                users.append(user)
    return {value: tuple(users) for value, users in found.items()}
