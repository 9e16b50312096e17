"""Positions: a summary that was put in front of a slice is not in it.

    messages = [note, *messages[-4:]]       the note stands at 0 ...
    llm.summarize(messages[1:])             ... and is left out here
    messages.append(note)
    self.done = len(messages)               an index that was taken behind the note ...
    llm.summarize(messages[self.done:])     ... leaves it out here

Only what surely stands there counts: any other change of the list forgets where the note is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxlint.ir.ops import BUILD, CALL, CONST, IN_LIST, SET_ATTR, Op
from ctxlint.taint.facts import Mark
from ctxlint.taint.spelling import spelled
from ctxlint.taint.tested import AT, PUT, SLICES, Place

if TYPE_CHECKING:
    from ctxlint.taint.callgraph import CallGraph

_KEYS = frozenset({AT, PUT})
_BEHIND = frozenset({"append", "extend", "add_message", "aadd_message"})
_SHUFFLE = frozenset({"sorted", "reversed", "shuffle", "sample"})


def forget(mark: Mark) -> Mark:
    """The mark of a text that is taken out of a list, or whose list was changed."""
    return tuple(pair for pair in mark if pair[0] not in _KEYS)


def _put(graph: CallGraph, mark: Mark, place: Place, at: int | None) -> Mark:
    """The mark of a text that is put in a list, as far as some slice of the program cares."""
    if SLICES not in graph.tested:
        return mark
    pairs: list[tuple[str, object]] = list(forget(mark))
    if graph.sets_index(place.function):
        pairs.append((PUT, place))
    if at is not None:
        pairs.append((AT, at))
    return tuple(sorted(pairs, key=lambda pair: pair[0]))


def built(graph: CallGraph, function: int, mark: Mark, display: int, position: int) -> Mark:
    """A display holds the text: at its field `position`."""
    op = graph.program.op(function, display)
    fields = op[1]
    if len(op) > 2 or not 0 <= position < len(fields):
        return forget(mark)
    name = fields[position][0]
    plain = all(field == IN_LIST for field, _ in fields[:position])
    if name == IN_LIST:
        return _put(graph, mark, Place(function, display), position if plain else None)
    if name == "":
        shifted = dict(mark).get(AT)
        at = shifted + position if plain and isinstance(shifted, int) else None
        return _put(graph, mark, Place(function, display), at) if not _KEYS.isdisjoint(dict(mark)) else mark
    return mark


def joined(graph: CallGraph, function: int, mark: Mark, values: tuple[int, ...], value: int) -> Mark:
    """A list that holds the text is joined to others: `[system] + [note] + rest`."""
    known = dict(mark).get(AT)
    if not isinstance(known, int):
        return mark
    for before in values[: values.index(value)]:
        kind, *rest = graph.program.op(function, before)
        if kind != BUILD or len(rest) > 1 or any(name != IN_LIST for name, _ in rest[0]):
            return tuple(pair for pair in mark if pair[0] != AT)
        known += len(rest[0])
    return tuple((key, known) if key == AT else (key, held) for key, held in mark)


def added(graph: CallGraph, function: int, mark: Mark, call: int, after: int) -> Mark:
    """A method puts the text in its list: `messages.insert(0, note)`."""
    op = graph.program.op(function, call)
    at = None
    if op[3] == "appendleft":
        at = 0
    elif op[3] == "insert" and op[4]:
        index = graph.program.op(function, op[4][0])
        at = index[1] if index[0] == CONST and isinstance(index[1], int) and index[1] >= 0 else None
    return _put(graph, mark, Place(function, after), at)


def changed(mark: Mark, op: Op) -> Mark:
    """Another call changed the list: what is put behind leaves everything in its place."""
    return mark if op[0] == CALL and op[3] in _BEHIND else tuple(pair for pair in mark if pair[0] != AT)


def returned(mark: Mark, name: str) -> Mark:
    """A call gave the list back."""
    return forget(mark) if name in _SHUFFLE else mark


def sliced(graph: CallGraph, mark: Mark, lower: object) -> Mark | None:
    """The mark behind `[lower:]`; None when the text surely stands before it."""
    held = dict(mark)
    at, place = held.get(AT), held.get(PUT)
    if lower == 0:
        return mark
    if isinstance(lower, int) and isinstance(at, int):
        return None if at < lower else tuple((k, at - lower) if k == AT else (k, v) for k, v in mark)
    if isinstance(lower, str) and isinstance(place, Place) and _is_behind(graph, place, lower, at):
        return None
    return forget(mark)


def _is_behind(graph: CallGraph, place: Place, index: str, at: object) -> bool:
    """Once the text is in its list, the function sets the index behind it."""
    owner = graph.program.functions[place.function]
    name = index.rpartition(".")[2]
    for value in range(place.value + 1, len(owner.ops)):
        op = owner.ops[value]
        held = op[3] if op[0] == SET_ATTR and op[2] == name else value if owner.names.get(value) == index else -1
        if held < 0:
            continue
        made = owner.ops[held]
        if made[0] == CONST and isinstance(made[1], int) and isinstance(at, int) and at < made[1]:
            return True
        if made[0] == CALL and graph.name(place.function, held) == "len" and len(made[4]) == 1:
            list_text = spelled(graph, place.function, place.value)
            return made[4][0] == place.value or spelled(graph, place.function, made[4][0]) == list_text
    return False
