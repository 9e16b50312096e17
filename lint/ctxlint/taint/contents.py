"""Which object was it that was found in a collection? What a function has put there, as far as it shows.

by_name = {note.name: note for note in notes}      the elements of `notes`
by_name[name].text = text                          ... so that one of `notes` was changed
groups[key].append(note)                           an element of an element
for number, note in enumerate(notes): ...          an element of `notes`
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxlint.ir.ops import ANY, BUILD, CALL, IN_LIST, OUT, SET_ITEM, SLICE, Op
from ctxlint.taint.facts import Path
from ctxlint.taint.objects import sources

if TYPE_CHECKING:
    from ctxlint.taint.callgraph import CallGraph

_SAME = frozenset({"list", "tuple", "sorted", "reversed", "iter", "copy"})
_MAX_WALK = 60

Place = tuple[int, Path]


def put_there(graph: CallGraph, function: int, place: Place, depth: int) -> Iterator[Place]:
    """The objects that may be the one that a path into a collection leads to, and collections that hold them, too.

    Args:
        graph: the program.
        function: whose collection it is.
        place: the collection, and the path into it.
        depth: how many fields of the path lie inside of the object that is looked for.
    """
    ops = graph.program.functions[function].ops
    pending, seen = [place], {place}
    while pending and len(seen) < _MAX_WALK:
        value, path = pending.pop()
        if len(path) <= depth:
            continue
        op = ops[value]
        inner = [(held, path[1:]) for held in _elements(graph, ops, op, path[0])]
        if len(path) == depth + 1:
            yield from inner
            inner = []
        copied = list(_through(graph, function, value, path))
        yield from copied
        more = [*((source, path) for source in sources(op)), *copied, *inner]
        more = [known for known in more if known not in seen]
        seen.update(more)
        pending.extend(more)


def _elements(graph: CallGraph, ops: tuple[Op, ...], op: Op, field: str) -> Iterator[int]:
    """The values that an operation puts in a collection, under a field."""
    if op[0] == BUILD:
        yield from (held for name, held in op[1] if _is_under(name, field))
    elif op[0] == SET_ITEM and (op[2] is None or str(op[2]) == field or field in {ANY, IN_LIST}):
        yield op[3]
    elif op[0] == OUT and op[3] == "self":
        call = ops[op[2]]
        if call[3] in graph.models.flow.appends and call[4] and field in {ANY, IN_LIST}:
            yield call[4][-1]


def _is_under(name: str, field: str) -> bool:
    """What a display holds under a name is meant by a field: an element is none of a dict's values."""
    return name in {field, IN_LIST} or (field == IN_LIST and name.isdigit()) or (field == ANY and bool(name))


def _through(graph: CallGraph, function: int, value: int, path: Path) -> Iterator[Place]:
    """A collection that holds the same objects."""
    op = graph.program.op(function, value)
    if op[0] == SLICE:
        yield op[1], path
    if op[0] != CALL or graph.targets(function, value):
        return
    name = graph.name(function, value)
    held = op[2] if op[2] >= 0 else op[4][0] if op[4] else -1
    if held < 0:
        return
    if name in _SAME:
        yield held, path
    elif name == "values":
        yield held, (ANY, *path[1:])
    elif name in {"enumerate", "items"} and path[1:2] == ("1",):
        yield held, (ANY if name == "items" else IN_LIST, *path[2:])
    elif name == "zip" and path[1:2] and path[1].isdigit() and int(path[1]) < len(op[4]):
        yield op[4][int(path[1])], (IN_LIST, *path[2:])
