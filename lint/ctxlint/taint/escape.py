"""In-place changes: whose object was it?

turns = self.turns             a field: the field holds the derived text now
turns.append(note)
def note(turns, text):         a parameter: the caller's list holds it when the call returns
    turns.append(text)
last = state["turns"]          an element: the state holds it, below its key
last.append(note)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxlint.ir.ops import ATTR, CALL, CAPTURE, IN_LIST, ITEM, NAME, PARAM, SET_ATTR
from ctxlint.taint.facts import LATER, Fact, Path, put
from ctxlint.taint.heap import Cell
from ctxlint.taint.regions import Exit, Seed
from ctxlint.taint.values import sources

if TYPE_CHECKING:
    from ctxlint.taint.engine import Engine


def escape(engine: Engine, seed: Seed, new: Fact, cause: Fact) -> None:
    """Let a change of an object be seen where the object came from."""
    pending: list[tuple[int, Path]] = [(new.value, new.path)]
    seen: set[tuple[int, Path]] = set()
    while pending:
        place = pending.pop()
        if place in seen:
            continue
        seen.add(place)
        value, path = place
        pending.extend((source, path) for source in sources(engine.program.op(seed.function, value)))
        pending.extend(_origin(engine, seed, new, (value, path)))
        _aliases(engine, seed, new, (value, path))
    own = engine.program.op(seed.function, new.value)
    if own[0] == SET_ATTR and own[3] == cause.value:
        for cell in engine.cells(seed, own[1], own[2]):
            if not _constructing(engine, seed.function, own[1]):
                engine.keep(seed, new._replace(path=cause.path), cell, origin=new)


def _constructing(engine: Engine, function: int, base: int) -> bool:
    """In a constructor the object is still the caller's alone: its fields flow with it."""
    name = engine.program.functions[function].name
    return name == "__init__" and engine.heap.is_self(function, base)


def _origin(engine: Engine, seed: Seed, new: Fact, place: tuple[int, Path]) -> list[tuple[int, Path]]:
    value, path = place
    function = seed.function
    op = engine.program.op(function, value)
    kind = op[0]
    if kind == PARAM:
        owner = engine.program.functions[function]
        if op[1] > 0 or owner.class_index < 0 or owner.name == "__init__":
            engine.leave(seed, new, Exit(op[1], path, new.mark, new.round == LATER))
    elif kind == ATTR:
        cells = engine.cells(seed, op[1], op[2])
        for cell in cells:
            engine.keep(seed, new._replace(path=path), cell, origin=new)
        if not cells:
            return _below(engine, seed, new, op[1], put(op[2], path))
    elif kind == ITEM:
        field = op[2] if isinstance(op[2], str) else IN_LIST
        return _below(engine, seed, new, op[1], put(field, path))
    elif kind == NAME:
        module = engine.program.module_of[function]
        engine.keep(seed, new._replace(path=path), Cell("global", module, op[1]), origin=new)
    elif kind == CAPTURE:
        cell = Cell("captured", engine.program.function_id(function, op[2]), op[1])
        engine.keep(seed, new._replace(path=path), cell, origin=new)
        for owner_place in engine.heap.own_values(cell):
            engine.flow(seed, new._replace(path=path), owner_place, "kept", cell.name, origin=new)
    elif kind == CALL and engine.graph.name(function, value) == "super":
        engine.leave(seed, new, Exit(0, path, new.mark, new.round == LATER))
    return []


def _below(engine: Engine, seed: Seed, new: Fact, base: int, path: Path) -> list[tuple[int, Path]]:
    engine.add(seed, Fact(base, path, new.mark, new.round), new)
    return [(base, path)]


def _aliases(engine: Engine, seed: Seed, new: Fact, place: tuple[int, Path]) -> None:
    """The same object was put in a field before it was changed."""
    value, path = place
    if value == new.value:
        return
    for user in engine.uses(seed.function).get(value, ()):
        op = engine.program.op(seed.function, user)
        if op[0] == SET_ATTR and op[3] == value:
            for cell in engine.cells(seed, op[1], op[2]):
                engine.keep(seed, new._replace(path=path), cell, origin=new)
