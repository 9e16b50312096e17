"""One step forward inside a function: what does a fact about an operand say about the value made of it?

    text = FORMAT (summary,)       path ()                      the whole text is derived
    note = BUILD content=summary   path ("content",)
    turns = SET_ITEM turns[:]      what was in turns is gone: a strong update
    kept = FILTER turn             nothing, when the test takes out what bears the mark

Calls are not here (`ctxlint.taint.through`): what they do depends on other functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ctxlint.ir.ops import (
    ATTR,
    BUILD,
    CONCAT,
    DELETE,
    ELEMENT,
    EXIT,
    FILTER,
    FORMAT,
    IN_LIST,
    ITEM,
    LOOP,
    PART,
    PHI,
    SET_ATTR,
    SET_ITEM,
    SLICE,
    TEST,
    WHOLE,
    Op,
)
from ctxlint.taint import handles, lockers, positions
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.checks import passing
from ctxlint.taint.facts import HELD, LATER, Fact, Path, around, element, get, leave, put
from ctxlint.taint.marks import extend, prefix, siblings, taken_out, without, written
from ctxlint.taint.names import split
from ctxlint.taint.switches import waiting

ELEMENTS = frozenset({"messages", "history", "turns"})
"""Fields under which an object shows what was added to it."""

Step = Callable[[CallGraph, int, Fact, int, Op], Iterator[Fact]]


def holds_text(graph: CallGraph, field: object) -> bool:
    """A field of this name may hold a text that a model wrote."""
    if not isinstance(field, str):
        return True
    words = split(field)
    # `self._index` is an object, and `index` is a position.
    return (
        field if field[:1] == "_" else "_".join(words)
    ) not in graph.models.flow.no_text and not graph.models.flow.no_text_words.intersection(words[-1:])


def _same(_graph: CallGraph, _function: int, fact: Fact, user: int, _op: Op) -> Iterator[Fact]:
    yield Fact(user, fact.path, fact.mark, fact.round)


def _loop(graph: CallGraph, function: int, fact: Fact, user: int, op: Op) -> Iterator[Fact]:
    if op[1] == fact.value:
        yield fact._replace(value=user)
    if fact.value in op[3]:
        yield fact._replace(value=user, round=around(graph.program.functions[function], op[2], fact.round))


def _exit(graph: CallGraph, function: int, fact: Fact, user: int, op: Op) -> Iterator[Fact]:
    number = leave(graph.program.functions[function], op[2], fact.round) if fact.round != LATER else LATER
    yield Fact(user, fact.path, fact.mark, number)


def _moved(fact: Fact, user: int, path: Path | None) -> Iterator[Fact]:
    if path is not None:
        mark = fact.mark if path or not fact.path else taken_out(fact.mark)
        yield fact._replace(
            value=user, path=path, mark=positions.forget(mark) if fact.path[:1] == (IN_LIST,) else mark
        )


def _attribute(graph: CallGraph, _function: int, fact: Fact, user: int, op: Op) -> Iterator[Fact]:
    if fact.path and fact.path[0][0] == HELD:
        yield from _moved(fact, user, handles.shown(graph.models.stores, fact.path, op[2]))
    elif holds_text(graph, op[2]):
        yield from _moved(fact, user, get(fact.path, op[2], attribute=True))
    if fact.path[:1] == (IN_LIST,) and op[2] in ELEMENTS:
        yield fact._replace(value=user)  # `history.add_message(note)` fills `history.messages`


def _item(graph: CallGraph, function: int, fact: Fact, user: int, op: Op) -> Iterator[Fact]:
    if fact.path and (fact.path[0], op[2]) in graph.program.tuple_fields:
        yield from _moved(fact, user, fact.path[1:])
    elif holds_text(graph, op[2]):
        size = len(op)
        mark = lockers.asking(graph, fact, (function, op[3])) if size > 3 else fact.mark
        if mark is not None:
            yield from _moved(fact._replace(mark=mark), user, get(fact.path, op[2]))


def _element(_graph: CallGraph, _function: int, fact: Fact, user: int, _op: Op) -> Iterator[Fact]:
    yield from _moved(fact, user, element(fact.path))


def _concat(graph: CallGraph, function: int, fact: Fact, user: int, op: Op) -> Iterator[Fact]:
    if fact.path:
        mark = positions.joined(graph, function, fact.mark, op[1], fact.value)
    else:
        mark = extend(fact.mark, prefix(graph, function, op[1], fact.value), graph.tested)
    yield fact._replace(value=user, mark=mark)


def _format(graph: CallGraph, function: int, fact: Fact, user: int, op: Op) -> Iterator[Fact]:
    if handles.is_held(fact.path):
        return
    mark = (
        waiting(fact.mark)
        if fact.path
        else extend(fact.mark, prefix(graph, function, op[1], fact.value), graph.tested)
    )
    yield fact._replace(value=user, path=(), mark=mark)


def _build(graph: CallGraph, function: int, fact: Fact, user: int, op: Op) -> Iterator[Fact]:
    for position, (name, value) in enumerate(op[1]):
        if value == fact.value and holds_text(graph, name):
            near = {} if name in {"", IN_LIST} or name.isdigit() else siblings(graph, function, value, user)
            mark = positions.built(graph, function, extend(fact.mark, near, graph.tested), user, position)
            yield fact._replace(value=user, path=put(name, fact.path), mark=mark)


def _set_attribute(graph: CallGraph, function: int, fact: Fact, user: int, op: Op) -> Iterator[Fact]:
    yield from _set(graph, function, fact, user, (op[1], op[2], op[3]))


def _set_item(graph: CallGraph, function: int, fact: Fact, user: int, op: Op) -> Iterator[Fact]:
    key = op[2]
    if key == WHOLE:
        if fact.value == op[3] or not fact.path:
            yield fact._replace(value=user)
    elif key == PART:
        yield fact._replace(value=user)
    else:
        field = key if isinstance(key, str) else lockers.slot(graph, fact, (function, op[4])) if op[4:] else IN_LIST
        yield from _set(graph, function, fact, user, (op[1], field, op[3]))


def _set(graph: CallGraph, function: int, fact: Fact, user: int, assignment: tuple[int, str, int]) -> Iterator[Fact]:
    base, field, value = assignment
    if fact.value == value and holds_text(graph, field if fact.path else field.lstrip("_")):
        yield fact._replace(value=user, path=put(field, fact.path))
    if fact.value == base and not (fact.path and fact.path[0] == field and field != IN_LIST):
        mark = fact.mark
        if fact.path and IN_LIST not in fact.path:
            text = written(graph, function, value)
            mark = extend(without(mark, field), {} if text is None else {field: text}, graph.tested)
        yield fact._replace(value=user, mark=mark)


def _delete(_graph: CallGraph, _function: int, fact: Fact, user: int, op: Op) -> Iterator[Fact]:
    gone = fact.path and (op[2] == WHOLE or fact.path[0] == op[2])
    if not gone:
        yield fact._replace(value=user)


def _slice(graph: CallGraph, _function: int, fact: Fact, user: int, op: Op) -> Iterator[Fact]:
    mark = positions.sliced(graph, fact.mark, op[2]) if fact.path[:1] == (IN_LIST,) else fact.mark
    if mark is not None:
        yield fact._replace(value=user, mark=mark)


def _filter(graph: CallGraph, function: int, fact: Fact, user: int, op: Op) -> Iterator[Fact]:
    mark = passing(graph, function, op[2], fact.mark, fact.path)
    if mark is not None:
        yield Fact(user, fact.path, mark, fact.round)


STEPS: dict[int, Step] = {
    PHI: _same,
    SLICE: _slice,
    TEST: _same,
    LOOP: _loop,
    EXIT: _exit,
    ATTR: _attribute,
    ITEM: _item,
    ELEMENT: _element,
    CONCAT: _concat,
    FORMAT: _format,
    BUILD: _build,
    SET_ATTR: _set_attribute,
    SET_ITEM: _set_item,
    DELETE: _delete,
    FILTER: _filter,
}
