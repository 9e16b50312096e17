"""Values as a reader would write them, as far as they are chains of names: `self.client.chat`, `state["summary"]`."""

from __future__ import annotations

from ctxlint.ir.ops import (
    ATTR,
    CALL,
    CAPTURE,
    DELETE,
    EXIT,
    FILTER,
    ITEM,
    LOOP,
    NAME,
    OUT,
    PARAM,
    PHI,
    SET_ATTR,
    SET_ITEM,
)
from ctxlint.taint.callgraph import CallGraph

_SAME = frozenset({LOOP, OUT, FILTER, SET_ATTR, SET_ITEM, DELETE})
_MAX_PARTS = 12


def spelled(graph: CallGraph, function: int, value: int) -> str:
    """The text of a value, "" when it has no name."""
    owner = graph.program.functions[function]
    tail = ""
    for _ in range(_MAX_PARTS):
        op = owner.ops[value]
        kind = op[0]
        if kind == ATTR:
            tail = f".{op[2]}{tail}"
            value = op[1]
        elif kind == ITEM:
            tail = f"[{op[2]!r}]{tail}".replace("'", '"') if op[2] is not None else f"[...]{tail}"
            value = op[1]
        elif kind in _SAME and op[1]:
            value = op[1]
        elif kind in {PHI, EXIT} and op[1]:
            value = op[1][0]
        else:
            return _name(graph, function, value) + tail
    return tail.lstrip(".")


def last_name(graph: CallGraph, function: int, value: int) -> str:
    """The last name of a value: of a field, without a look at what holds it."""
    op = graph.program.op(function, value)
    if op[0] in {NAME, CAPTURE}:
        return str(op[1]).rpartition(".")[2]
    return str(op[2]) if op[0] == ATTR else spelled(graph, function, value).rpartition(".")[2]


def _name(graph: CallGraph, function: int, value: int) -> str:
    owner = graph.program.functions[function]
    op = owner.ops[value]
    if op[0] == CALL:
        return owner.names.get(value) or graph.name(function, value)
    if op[0] in {NAME, CAPTURE}:
        return str(op[1])
    return str(op[2]) if op[0] == PARAM else owner.names.get(value, "")


def field_of(graph: CallGraph, function: int, value: int) -> str:
    """What an assignment to a field or element assigns to, or what a call changed."""
    op = graph.program.op(function, value)
    base = spelled(graph, function, op[1])
    if op[0] == SET_ATTR:
        return f"{base}.{op[2]}"
    if op[0] == SET_ITEM and isinstance(op[2], str) and op[2][:1] != "[":
        return f'{base}["{op[2]}"]'
    return base
