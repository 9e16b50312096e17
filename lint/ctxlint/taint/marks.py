"""Guards: what is written next to a summary, and the tests that take such values out.

    note = {"content": summary, "is_summary": True}         mark {is_summary: True}
    turns = [t for t in turns if not t.get("is_summary")]   no value with that mark passes

A test counts only when the mark was written on the very value that it would filter: a marker that is written and
never read, or read and never written, filters nothing.
"""

from __future__ import annotations

from typing import NamedTuple

from ctxlint.ir.ops import ANY, ATTR, BUILD, CALL, IN_LIST, ITEM, OUT, SET_ATTR, Op
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.facts import Mark
from ctxlint.taint.switches import waiting
from ctxlint.taint.tested import KIND, TEXT, Tested, constant

_MAX_PAIRS = 6
_MAX_ROOTS = 8
SHOWN = 60


class Identity(NamedTuple):
    """A value that is no constant, such as a fresh id: the same value elsewhere is the same id."""

    function: int
    value: int


def extend(mark: Mark, pairs: dict[str, object], known: Tested) -> Mark:
    """A mark with more written next to the text; what is written last wins, what no test looks at is left out."""
    seen = {key: _needed(key, value, known) for key, value in pairs.items() if _looked_at(key, value, known)}
    if not seen:
        return mark
    merged = dict(mark) | seen
    return tuple(sorted(merged.items(), key=lambda pair: pair[0])[:_MAX_PAIRS])


def _needed(key: str, value: object, known: Tested) -> object:
    """Where a field is only asked whether it is set, any text in it is a plain yes."""
    if key in {KIND, TEXT} or not isinstance(value, str) or not value or ("is", key) in known:
        return value
    return True


def _looked_at(key: str, value: object, known: Tested) -> bool:
    if key == TEXT:
        start = str(value)
        return any((TEXT, start[:length]) in known for length in range(3, len(start) + 1))
    if key == KIND:
        return (KIND, value) in known
    # A marker is a text or a plain yes: flags that are off and numbers mark nothing.
    return key in known and (value is True or isinstance(value, str | Identity))


def siblings(graph: CallGraph, function: int, value: int, holder: int) -> dict[str, object]:
    """What a display or a constructor call writes next to the value that it holds."""
    key = (function, value, holder)
    known = graph.beside.get(key)
    if known is None:
        known = graph.beside[key] = _siblings(graph, function, value, holder)
    return known


def _siblings(graph: CallGraph, function: int, value: int, holder: int) -> dict[str, object]:
    op = graph.program.op(function, holder)
    pairs: dict[str, object] = {}
    if op[0] == BUILD:
        fields = op[1]
    elif op[0] == CALL:
        fields = op[5]
        callee = graph.name(function, holder)
        if callee[:1].isupper():
            pairs.update(_defaults(graph, function, op))
            pairs[KIND] = callee
            placed = [(field_at(graph, function, op, position), held) for position, held in enumerate(op[4])]
            fields = (*((name, held) for name, held in placed if name != ANY), *fields)
    else:
        return pairs
    for name, other in fields:
        if name:
            pairs.pop(name, None)
        if name and other != value:
            pairs.update(_near(graph, function, name, other))
    return pairs


def _defaults(graph: CallGraph, function: int, op: Op) -> dict[str, object]:
    """The constants that all objects of a constructed class have."""
    made = [ref.target for ref in graph.values.refs(function, op[1]) if ref.kind == "class"] if op[1] >= 0 else []
    return graph.fieldings.constants(made[0]) if len(made) == 1 and isinstance(made[0], int) else {}


def field_at(graph: CallGraph, function: int, op: Op, position: int) -> str:
    """The field that a position of a constructor is for, any field where nothing says which."""
    if op[1] < 0:
        return ANY
    for ref in graph.values.refs(function, op[1]):
        if ref.kind == "class" and isinstance(ref.target, int):
            fields = graph.fieldings.positional(ref.target)
            return fields[position] if position < len(fields) else ANY
    return ANY


def _near(graph: CallGraph, function: int, name: str, value: int) -> dict[str, object]:
    op = graph.program.op(function, value)
    if op[0] == BUILD:
        # `metadata={"summary": True}` marks as well as `summary=True` does.
        inner = {name if key == IN_LIST else key: written(graph, function, held) for key, held in op[1] if key}
        return {key: text for key, text in inner.items() if text is not None}
    text = written(graph, function, value)
    if text is None and ("member", name) in graph.tested:
        identity = root(graph, function, value)
        # An id that this function notes nowhere is not told apart by any test.
        return {name: Identity(function, identity)} if noted(graph, function, identity) else {}
    return {} if text is None else {name: text}


def root(graph: CallGraph, function: int, value: int) -> int:
    """What a value was before calls that got it, or what its field was given: `note["id"]` is that id."""
    for _ in range(_MAX_ROOTS):
        op = graph.program.op(function, value)
        if op[0] == OUT:
            value = op[1]
            continue
        held = _field(graph, function, op) if op[0] in {ATTR, ITEM} else 0
        if not held:
            break
        value = held
    return value


def _field(graph: CallGraph, function: int, read: Op) -> int:
    """What the display gave the field that is read; 0 when it is read from something else."""
    holder = graph.program.op(function, root(graph, function, read[1]))
    fields: dict[str, int] = dict(holder[1]) if holder[0] == BUILD else {}
    return fields.get(read[2], 0)


def noted(graph: CallGraph, function: int, identity: int) -> list[str | None]:
    """The containers that a function puts an id in, and the fields that it assigns it to."""
    owner = graph.program.functions[function]
    found: list[str | None] = []
    for op in owner.ops:
        if op[0] == SET_ATTR and root(graph, function, op[3]) == identity:
            found.append(op[2])
        stored = op[4] if op[0] == CALL and op[3] in graph.models.flow.appends else ()
        if identity in [root(graph, function, value) for value in stored]:
            holder = owner.ops[op[2]]
            found.append(holder[2] if holder[0] == ATTR else owner.names.get(op[2]))
    return found


def without(mark: Mark, key: str) -> Mark:
    """A mark after what was written under a key has been written over."""
    return tuple(pair for pair in mark if pair[0] != key)


def written(graph: CallGraph, function: int, value: int) -> object:
    """The constant that a value is, or `$NAME` of a named one; None when it is neither."""
    op = graph.program.op(function, value)
    known = constant(graph.program, function, value)
    return _default(graph, function, op[1], op[2]) if known is None and op[0] == ATTR else known


def _default(graph: CallGraph, function: int, base: int, name: str) -> object:
    """What a field is set to in its class, when nothing else is ever assigned to it."""
    held = [
        place
        for kind in graph.values.types(function, base)
        if isinstance(kind.target, int)
        for place in graph.values.fields(kind.target, name)
    ]
    return constant(graph.program, *held[0]) if len(held) == 1 else None


def prefix(graph: CallGraph, function: int, values: tuple[int, ...], value: int) -> dict[str, object]:
    """The constant text that a summary is put behind."""
    if not values or values[0] == value:
        return {}
    text = written(graph, function, values[0])
    return {TEXT: text[:SHOWN]} if isinstance(text, str) and len(text.strip()) > 2 else {}


def taken_out(mark: Mark) -> Mark:
    """The mark of a text that leaves its holder: what the text itself starts with, and what it waits for."""
    return (*waiting(mark), *(pair for pair in mark if pair[0] == TEXT))
