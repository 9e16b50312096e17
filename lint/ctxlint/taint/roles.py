"""Messages that say who speaks, as they are built before a model is asked: no other call gets such a thing.

[{"role": "system", "content": PROMPT}]         a dict with a role
[Message(role="user", contents=[text])]         an object with one
[Message("system", PROMPT)]                     ... by position
[SystemMessage(PROMPT), HumanMessage(text)]     its class says it
Request(messages=[{"role": "user", ...}])       an object that holds them
"""

from __future__ import annotations

from ctxlint.ir.ops import BUILD, CALL, CONCAT, CONST, EXIT, FILTER, LOOP, OUT, PHI, SET_ATTR, SET_ITEM, Op
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.names import words_of
from ctxlint.taint.operands import operands

_ROLE = "role"
_ROLES = frozenset({"system", "user", "developer", "human", "assistant"})
_MESSAGES = frozenset({"message", "msg"})
_HOLDS = frozenset({"messages", "contents"})
"""Arguments of a request that is an object: `Request(model=m, messages=[...])`."""
_ADDS = frozenset({"append", "extend", "insert"})
_PASSES = frozenset({CONCAT, PHI, EXIT, LOOP, FILTER, SET_ATTR, SET_ITEM})
_MAX_VALUES = 40


def has_roles(graph: CallGraph, function: int, value: int) -> bool:
    """A value holds messages that were built in the same function, and says whose they are."""
    pending = [value]
    seen: set[int] = set()
    while pending and len(seen) < _MAX_VALUES:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        op = graph.program.op(function, value)
        if op[0] == BUILD:
            if any(name == _ROLE for name, _ in op[1]):
                return True
            pending.extend(held for name, held in op[1] if not str(name).isidentifier())
        elif op[0] == CALL:
            if _is_message(graph, function, value, op):
                return True
            if graph.name(function, value)[:1].isupper():
                pending.extend(held for keyword, held in op[5] if keyword in _HOLDS)
        elif op[0] == OUT:
            added = graph.program.op(function, op[2])
            pending.append(op[1])
            pending.extend(added[4] if added[0] == CALL and added[3] in _ADDS else ())
        elif op[0] in _PASSES:
            pending.extend(operands(op))
    return False


def _is_message(graph: CallGraph, function: int, call: int, op: Op) -> bool:
    """An object is made that has a role."""
    name = graph.name(function, call)
    if not name[:1].isupper():
        return False
    if any(keyword == _ROLE for keyword, _ in op[5]):
        return True
    words = words_of(name)
    if words & _MESSAGES and words & _ROLES:
        return True
    first = graph.program.op(function, op[4][0]) if op[4] else ()
    return bool(first) and first[0] == CONST and first[1] in _ROLES
