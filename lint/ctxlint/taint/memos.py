"""Results that are kept so as not to work them out again: what is looked up there is what would be made anew.

    def prompt(self, name, values):
        key = (name, values)
        known = self._cache.get(key)            looked up ...
        if known is not None:
            return known                        ... only to be given back
        made = self._make(name, values)
        self._cache[key] = made                 ... under the key that it is put away under
        return made

Text that comes out of `_make` is followed anyway. Through the cache it would come out of every other call as well.
Nobody else may put something there: `self._memos[key]`, written by another method too, is a store. And it has to be
a text: an object that is made once for each key is changed by all who get it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ctxlint.ir.ops import (
    ATTR,
    CALL,
    CONCAT,
    CONST,
    EXIT,
    FILTER,
    FORMAT,
    ITEM,
    LOOP,
    NAME,
    OUT,
    PHI,
    SET_ATTR,
    SET_ITEM,
    TEST,
    Op,
)
from ctxlint.taint.names import split
from ctxlint.taint.unknown import STORING

if TYPE_CHECKING:
    from ctxlint.taint.callgraph import CallGraph

_LOOKING = frozenset({"fetch", "get", "load", "lookup", "peek", "read", "retrieve", "aget", "hget"})
_SAME = frozenset({FILTER, LOOP, OUT})
_CHANGED = frozenset({OUT, SET_ATTR, SET_ITEM})
_ON = frozenset({FILTER, LOOP, PHI, EXIT, ATTR, ITEM})

_TEXTS = frozenset({"str", "bytes", "None", "Optional", "Union"})
_GIVES_TEXT = frozenset({"format", "join", "strip", "replace", "render", "dumps", "decode"})

Holder = tuple[int, str]
"""How the container is read, a field or a module's name, and which."""


def lookups(graph: CallGraph, function: int) -> tuple[int, ...]:
    """The values of a function that are looked up in a memo of what the function gives."""
    ops = graph.program.functions[function].ops
    written: dict[tuple[Holder, int], list[int]] = {}
    for op in ops:
        put = _put(ops, op)
        if put is not None:
            holder, key, value = put
            written.setdefault((holder, key), []).append(value)
    if not written:
        return ()
    return tuple(
        read
        for read, op in enumerate(ops)
        if (place := _asked(ops, op)) in written
        and all(_is_text(graph, function, value) for value in written[place])
        and _only_given_back(graph, function, read)
        and _is_own(graph, function, place[0])
    )


def _is_text(graph: CallGraph, function: int, value: int) -> bool:
    """What is kept is a text, as the function declares or as it is made."""
    own = graph.program.functions[function]
    if own.annotation:
        return _TEXTS.issuperset(own.annotation.split())
    op = own.ops[_plain(own.ops, value)]
    return op[0] in {ATTR, CONCAT, FORMAT} or (op[0] == CALL and op[3] in _GIVES_TEXT)


def _put(ops: tuple[Op, ...], op: Op) -> tuple[Holder, int, int] | None:
    """What an operation puts away: in what, under which key, and the value."""
    base, key, value, size = -1, -1, -1, len(op)
    if op[0] == SET_ITEM and size > 4:
        base, key, value = op[1], op[4], op[3]
    elif op[0] == CALL and op[2] >= 0 and len(op[4]) > 1 and not STORING.isdisjoint(split(op[3])[:1]):
        base, key, value = op[2], op[4][0], op[4][1]
    holder = _holder(ops, base) if base >= 0 else None
    key = _plain(ops, key) if key >= 0 else -1
    return None if holder is None or key < 0 or ops[key][0] == CONST else (holder, key, value)


def _asked(ops: tuple[Op, ...], op: Op) -> tuple[Holder, int] | None:
    base, key, size = -1, -1, len(op)
    if op[0] == ITEM and size > 3:
        base, key = op[1], op[3]
    elif op[0] == CALL and op[2] >= 0 and op[4] and not _LOOKING.isdisjoint(split(op[3])[:1]):
        base, key = op[2], op[4][0]
    holder = _holder(ops, base) if base >= 0 else None
    return (holder, _plain(ops, key)) if holder is not None else None


def _holder(ops: tuple[Op, ...], base: int) -> Holder | None:
    op = ops[_plain(ops, base)]
    while op[0] in _CHANGED:
        op = ops[op[1]]
    return (op[0], op[2]) if op[0] == ATTR else (op[0], op[1]) if op[0] == NAME else None


def _plain(ops: tuple[Op, ...], value: int) -> int:
    while ops[value][0] in _SAME and ops[value][1]:
        value = ops[value][1]
    return value


def _only_given_back(graph: CallGraph, function: int, read: int) -> bool:
    """The function does nothing with the value but test it and return it, or a part of it, as it is or in a copy."""
    own = graph.program.functions[function]
    uses = graph.uses(function)
    returned = False
    pending, seen = [read], {read}
    while pending:
        value = pending.pop()
        returned = returned or value in own.returns
        for user in uses.get(value, ()):
            op = own.ops[user]
            if op[0] == TEST or user in seen:
                continue
            if not (
                op[0] in _ON or (op[0] == CALL and _copies(graph, function, user)) or _is_after(own.ops, op, value)
            ):
                return False
            seen.add(user)
            pending.append(user)
    return returned


def _copies(graph: CallGraph, function: int, call: int) -> bool:
    name = graph.name(function, call)
    flow = graph.models.flow
    words = split(name)[:1]
    return (name in flow.keep or name in flow.silent or not flow.silent_words.isdisjoint(words)) and not (
        graph.targets(function, call)
    )


def _is_after(ops: tuple[Op, ...], op: Op, value: int) -> bool:
    """The value as it is after a call that only copies it or asks something of it."""
    return op[0] == OUT and value in op[1:2] and ops[op[2]][0] == CALL


def _is_own(graph: CallGraph, function: int, holder: Holder) -> bool:
    """No other function puts anything in the container."""
    return all(owner == function for owner in _writers(graph, holder))


def _writers(graph: CallGraph, holder: Holder) -> Iterator[int]:
    index = "attributes" if holder[0] == ATTR else "globals_read"
    for owner, read in graph.program.places(index, holder[1]):
        ops = graph.program.functions[owner].ops
        uses: Mapping[int, tuple[int, ...]] = graph.uses(owner)
        if any(_writes(ops[user], read) for user in uses.get(read, ())):
            yield owner


def _writes(op: Op, base: int) -> bool:
    if op[0] == SET_ITEM:
        return base in op[1:2]
    return op[0] == CALL and base in op[2:3] and bool(op[4]) and not STORING.isdisjoint(split(op[3])[:1])
