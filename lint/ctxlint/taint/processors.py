"""History processors: functions that nobody here calls, which get messages and give them back with a summary in.

    async def compact(self, messages):
        head, tail = messages[:-5], messages[-5:]
        return [Note(await self.summarize(head)), *tail]

Whoever calls it (a framework, which keeps the list) passes in the next time what it got back this time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxlint.ir.ops import BUILD, CALL, CONCAT, ELEMENT, FILTER, IN_LIST, ITEM, PARAM, SLICE
from ctxlint.taint.facts import Fact, Path
from ctxlint.taint.names import split
from ctxlint.taint.objects import sources
from ctxlint.taint.regions import Seed
from ctxlint.taint.selves import has_self

if TYPE_CHECKING:
    from ctxlint.taint.engine import Engine

_LISTS = frozenset({"list", "List", "Sequence", "typing.List", "t.List"})
_TABLES = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "typing.Dict", "t.Dict"})
_DOCUMENTS = frozenset({"chunks", "docs", "documents", "elements", "files", "nodes", "pages", "rows", "sections"})
"""Last words of what goes through a pipeline once: nobody keeps it as a history."""
_MAX_DEPTH = 4
_MAX_VALUES = 200


def comes_back(engine: Engine, seed: Seed, fact: Fact, path: Path) -> None:
    """Let derived text in the list that an uncalled function returns come back as the list that it gets."""
    owner = engine.program.functions[seed.function]
    if not path and _is_a(owner.annotation, _LISTS):
        path = (IN_LIST,)
    if _is_a(owner.annotation, _TABLES):
        return  # some value of a table: `return {**request, key: answer}`
    if path[:1] != (IN_LIST,) or engine.graph.callers(seed.function):
        return
    for parameter in _kept(engine, seed.function, fact.value, 0):
        index: int = engine.program.op(seed.function, parameter)[1]
        name = owner.parameters[index].name
        if _is_a(owner.parameters[index].annotation, _TABLES):
            continue
        if _DOCUMENTS.intersection(split(name)[-1:]):
            continue
        entry = Seed(seed.function, parameter, path, fact.mark, later=True)
        engine.connect(seed, fact, entry, "assigned", carrier=name)


def _is_a(annotation: str, kinds: frozenset[str]) -> bool:
    """What is declared is such a collection: of a list, what is derived as a whole is all that is in it."""
    return not kinds.isdisjoint(annotation.split()[:1])


def _kept(engine: Engine, function: int, value: int, depth: int) -> tuple[int, ...]:
    """The parameters that the elements of a list come from."""
    key = (function, value, depth)
    known = engine.lists.get(key)
    if known is None:
        known = engine.lists[key] = tuple(_find_kept(engine, function, value, depth))
    return known


def _find_kept(engine: Engine, function: int, value: int, depth: int) -> list[int]:
    found: dict[int, None] = {}
    pending, seen = [value], {value}
    owner = engine.program.functions[function]
    while pending and len(seen) < _MAX_VALUES:
        current = pending.pop(0)
        op = owner.ops[current]
        more: tuple[int, ...] = sources(op)
        if op[0] == PARAM and (op[1] > 0 or not has_self(owner)):
            found[current] = None
        elif op[0] in {SLICE, ELEMENT, FILTER}:
            more = (op[1],)
        elif op[0] == CONCAT:
            more = tuple(op[1])
        elif op[0] == BUILD:
            more = tuple(held for name, held, *_ in op[1] if name in {"", IN_LIST} or name.isdigit())
        elif op[0] == ITEM and owner.ops[op[1]][0] == BUILD:
            more = tuple(held for name, held, *_ in owner.ops[op[1]][1] if name == str(op[2]))
        elif op[0] == CALL:
            more = _through(engine, function, current, depth)
        pending.extend(held for held in more if held not in seen)
        seen.update(more)
    return list(found)


def _through(engine: Engine, function: int, call: int, depth: int) -> tuple[int, ...]:
    """The arguments whose elements a call gives back."""
    op = engine.program.op(function, call)
    targets = engine.graph.targets(function, call)
    if not targets:
        keeps = engine.graph.name(function, call) in engine.graph.models.flow.keep
        return (*(value for value in op[1:3] if value >= 0), *op[4]) if keeps else ()
    given: dict[int, None] = {}
    for target in targets if depth < _MAX_DEPTH else ():
        owner = engine.program.functions[target.function]
        kept = {
            owner.ops[parameter][1]
            for returned in owner.returns
            for parameter in _kept(engine, target.function, returned, depth + 1)
        }
        given.update(
            (value, None) for value, position in engine.graph.passes(function, call, target) if position in kept
        )
    return tuple(given)
