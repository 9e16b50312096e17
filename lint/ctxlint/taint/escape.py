"""In-place changes: whose object was it?

turns = self.turns             a field: the field holds the derived text now
turns.append(note)
def note(turns, text):         a parameter: the caller's list holds it when the call returns
    turns.append(text)
last = state["turns"]          an element: the state holds it, below its key
last.append(note)
groups.setdefault(key, []).append(note)    the same, of a dict
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxlint.ir.ops import (
    ANY,
    ATTR,
    CALL,
    CAPTURE,
    CONST,
    ELEMENT,
    IN_LIST,
    ITEM,
    NAME,
    OUT,
    PARAM,
    SET_ATTR,
    SLICE,
)
from ctxlint.taint.contents import put_there
from ctxlint.taint.dispatch import narrower
from ctxlint.taint.facts import LATER, Fact, Path, put
from ctxlint.taint.heap import Cell
from ctxlint.taint.lasting import lasting
from ctxlint.taint.making import made_of
from ctxlint.taint.objects import sources
from ctxlint.taint.putaway import below
from ctxlint.taint.regions import Exit, Seed
from ctxlint.taint.selves import has_self
from ctxlint.taint.shelving import change_row
from ctxlint.taint.visitors import comes_again

if TYPE_CHECKING:
    from ctxlint.taint.engine import Engine
    from ctxlint.taint.target import Target

_CACHES = frozenset({"cache", "lru_cache", "cached", "alru_cache", "cache_resource", "singleton"})
"""Decorators of functions that give the same object again."""
_MAX_GIVERS = 2
_MAX_GIVING = 12
"""Through this many functions, each of which has the object from the next, an object is followed."""
_COPIES = frozenset({"list", "tuple", "sorted", "reversed", "dict"})

Place = tuple[int, Path]
"""A value of the region's function, and where in it the derived text is."""


def escape(engine: Engine, seed: Seed, new: Fact, cause: Fact) -> None:
    """Let a change of an object be seen where the object came from."""
    pending: list[Place] = [(new.value, new.path)]
    seen: set[Place] = set()
    while pending:
        place = pending.pop()
        if place in seen:
            continue
        seen.add(place)
        for value in _same(engine, seed.function, place[0]):
            inner = (value, place[1])
            if value != place[0] and inner in seen:
                continue
            seen.add(inner)
            pending.extend(_origin(engine, seed, new, inner))
            _aliases(engine, seed, new, inner)
        pending.extend(_put_away(engine, seed, new, place))
    own = engine.program.op(seed.function, new.value)
    if own[0] == SET_ATTR and own[3] == cause.value and not engine.assign(seed, cause, new.value):
        for cell in engine.cells(seed, own[1], own[2]):
            if not _constructing(engine, seed.function, own[1]):
                engine.keep(seed, new._replace(path=cause.path), cell, origin=new)


def _same(engine: Engine, function: int, value: int) -> tuple[int, ...]:
    """The values that are the same object and came from somewhere, or were put in a field before."""
    known = engine.same.get((function, value))
    if known is None:
        ops = engine.program.functions[function].ops
        users = engine.uses(function)
        pending, seen = [value], {value: None}
        while pending:
            more = [source for source in sources(ops[pending.pop()]) if source not in seen]
            seen.update(dict.fromkeys(more))
            pending.extend(more)
        known = engine.same[function, value] = tuple(
            same
            for same in seen
            if ops[same][0] in _ORIGINS or any(ops[user][0] == SET_ATTR for user in users.get(same, ()))
        )
    return known


def _constructing(engine: Engine, function: int, base: int) -> bool:
    """In a constructor the object is still the caller's alone: its fields flow with it."""
    name = engine.program.functions[function].name
    return name == "__init__" and engine.heap.is_self(function, base)


def _origin(engine: Engine, seed: Seed, new: Fact, place: Place) -> list[Place]:
    origin = _ORIGINS.get(engine.program.op(seed.function, place[0])[0])
    return origin(engine, seed, new, place) if origin is not None else []


def _parameter(engine: Engine, seed: Seed, new: Fact, place: Place) -> list[Place]:
    value, path = place
    index = engine.program.op(seed.function, value)[1]
    owner = engine.program.functions[seed.function]
    mine = index == 0 and has_self(owner) and owner.name != "__init__"
    if not mine or engine.heap.is_value_method(seed.function):
        engine.leave(seed, new, Exit(index, path, new.mark, new.round == LATER))
        comes_again(engine, seed, new, place)
    return []


def _attribute(engine: Engine, seed: Seed, new: Fact, place: Place) -> list[Place]:
    value, path = place
    op = engine.program.op(seed.function, value)
    if engine.graph.targets(seed.function, value):
        _given_back(engine, seed, new, place)
        return []
    if engine.heap.is_constant(seed.function, op[1], op[2]):
        return []
    cells = engine.cells(seed, op[1], op[2])
    for cell in cells:
        engine.keep(seed, new._replace(path=path), cell, origin=new)
        if path and cell.kind == "field":
            _held_elsewhere(engine, seed, new, (cell, path))
    return [] if cells else _below(engine, seed, new, (op[1], put(op[2], path)))


def _item(engine: Engine, seed: Seed, new: Fact, place: Place) -> list[Place]:
    value, path = place
    op = engine.program.op(seed.function, value)
    # `turns, count = session.load()`: a change of the first is none of the second.
    known = isinstance(op[2], str) or (isinstance(op[2], int) and op[2] >= 0)
    field = str(op[2]) if known else IN_LIST
    inside = put(field, path)
    found = (op[1], inside)
    return [
        *_below(engine, seed, new, found),
        *_copied(engine, seed, found),
        *_found_there(engine, seed, new, found),
    ]


def _found_there(engine: Engine, seed: Seed, new: Fact, place: Place) -> list[Place]:
    """What was changed was taken out of a collection that this function has filled."""
    key = (seed.function, place, _depth(engine, seed, new, place[1]))
    held = engine.found.get(key)
    if held is None:
        held = engine.found[key] = tuple(dict.fromkeys(put_there(engine.graph, *key)))
    return [inner for known in held for inner in _below(engine, seed, new, known)]


def _depth(engine: Engine, seed: Seed, new: Fact, path: Path) -> int:
    """How many fields of a path lie inside of the changed object: what a callee has changed is some element."""
    op = engine.program.op(seed.function, new.value)
    if (op[0] == OUT and op[3] != "self") or (op[0] == CALL and path[:1] == (IN_LIST,)):
        return 1
    # Paths are cut at their ends: the field that was changed tells where the object begins.
    field = new.path[0] if new.path else ""
    return len(path) - path.index(field) if field.isidentifier() and field in path else len(new.path)


def _element(engine: Engine, seed: Seed, new: Fact, place: Place) -> list[Place]:
    """`for note in notes: note.text = text`: the list holds the note that was changed."""
    value, path = place
    base: int = engine.program.op(seed.function, value)[1]
    found = (base, put(IN_LIST, path))
    return [*_below(engine, seed, new, found), *_found_there(engine, seed, new, found)]


def _slice(engine: Engine, seed: Seed, new: Fact, place: Place) -> list[Place]:
    """A slice is another list, with the same notes in it."""
    value, path = place
    base: int = engine.program.op(seed.function, value)[1]
    if len(path) <= _depth(engine, seed, new, path):
        return []  # the slice itself was changed
    return [*_below(engine, seed, new, (base, path)), *_found_there(engine, seed, new, (base, path))]


def _copied(engine: Engine, seed: Seed, place: Place) -> list[Place]:
    """`notes = list(self.notes)`: another list, with the same notes in it."""
    value, path = place
    ops = engine.program.functions[seed.function].ops
    pending = [value]
    seen: set[int] = set()
    while pending:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        op = ops[value]
        pending.extend(sources(op))
        if op[0] == CALL and op[1] >= 0 and op[4] and engine.graph.name(seed.function, value) in _COPIES:
            return [(op[4][0], path)]
    return []


def _global(engine: Engine, seed: Seed, new: Fact, place: Place) -> list[Place]:
    value, path = place
    in_field = path and path[0] not in {ANY, IN_LIST}
    if not in_field and engine.heap.is_name_of_code(seed.function, engine.program.op(seed.function, value)[1]):
        return []
    cell = Cell("global", engine.program.module_of[seed.function], engine.program.op(seed.function, value)[1])
    engine.keep(seed, new._replace(path=path), cell, origin=new)
    return []


def _captured(engine: Engine, seed: Seed, new: Fact, place: Place) -> list[Place]:
    value, path = place
    op = engine.program.op(seed.function, value)
    cell = Cell("captured", engine.program.function_id(seed.function, op[2]), op[1])
    engine.capture(seed, new._replace(path=path), cell, origin=new)
    return []


def _called(engine: Engine, seed: Seed, new: Fact, place: Place) -> list[Place]:
    """The object came out of a call: of a collection by key, or of a function that has it from somewhere."""
    value, path = place
    name = engine.graph.name(seed.function, value)
    if name == "super":
        engine.leave(seed, new, Exit(0, path, new.mark, new.round == LATER))
        return []
    if change_row(engine, seed, new, place):
        return []
    op = engine.program.op(seed.function, value)
    if name in _COPIES and value == new.value and path[:1] == (IN_LIST,) and len(path) > 1:
        return _found_there(engine, seed, new, place)  # `shorten(list(self.notes.values()))` has changed the notes
    flow = engine.graph.models.flow
    if op[2] < 0 or name not in (flow.keyed | flow.element) or engine.graph.targets(seed.function, value):
        _given_back(engine, seed, new, place)
        made_of_it = made_of(engine.graph, seed.function, value, path[0]) if len(path) > 1 else ()
        return [inner for held in made_of_it for inner in _below(engine, seed, new, (held, path[1:]))]
    # `turns.setdefault(key, []).append(note)`: what was changed is an element of the receiver.
    after = {where: held for held, where in engine.outs(seed.function).get(value, ())}
    key = engine.program.op(seed.function, op[4][0]) if op[4] else ()
    field = str(key[1]) if key and key[0] == CONST and isinstance(key[1], str) else ANY
    found = (after.get("self", int(op[2])), put(field, path))
    return [*_below(engine, seed, new, found), *_found_there(engine, seed, new, found)]


def _given_back(engine: Engine, seed: Seed, new: Fact, place: Place) -> None:
    """`self.session(user).memo = text`: the callee has the object from a field, and gives it to others, too."""
    value, path = place
    targets = [target for target in engine.graph.targets(seed.function, value) if target.made < 0]
    if len(targets) > _MAX_GIVERS or (seed.function, value) in engine.sites:
        return
    for target in targets:
        owner = engine.program.functions[target.function]
        for given in owner.yields if engine.is_manager(target.function) else owner.returns:
            if _is_others(engine, target.function, given):
                entry = Seed(target.function, given, path, new.mark, later=True, actual=_actual(engine, seed, target))
                _changed_there(engine, seed, new, entry)


def _is_others(engine: Engine, function: int, given: int) -> bool:
    """What a function gives back is held by something else as well: it is from there, was put there, or is a row."""
    if engine.outside.has(function, given) or engine.put_away.of(function, given):
        return True
    if any(name.rpartition(".")[2] in _CACHES for name in engine.program.functions[function].decorators):
        return True
    return engine.mapped.taken(function, given) >= 0


def _changed_there(engine: Engine, seed: Seed, new: Fact, entry: Seed) -> None:
    """The object is a value of another function, too, and was changed after that."""
    engine.connect(seed, new, entry, "changed")
    if entry not in engine.giving and len(engine.giving) < _MAX_GIVING:
        engine.giving.append(entry)
        known = Fact(entry.value, entry.path, entry.mark, LATER)
        escape(engine, entry, known, known)
        engine.giving.pop()


def _held_elsewhere(engine: Engine, seed: Seed, new: Fact, place: tuple[Cell, Path]) -> None:
    """The object in the field is in a collection, too: `self.current = step; self.steps.append(step)`."""
    cell, path = place
    for holder, held in engine.put_away.in_field(cell.owner, cell.name):
        entry = Seed(holder, held, path, new.mark, later=True)
        if entry not in engine.regions:
            _changed_there(engine, seed, new, entry)


def _put_away(engine: Engine, seed: Seed, new: Fact, place: Place) -> list[Place]:
    """The object was put in a collection before it was changed, here or by a method that got it."""
    value, path = place
    found: list[Place] = []
    for held in engine.put_away.of(seed.function, value) if path else ():
        if held.since >= new.value and seed not in engine.giving:
            continue  # what comes after the change is followed forward
        inside = below(held, path)
        if held.target is None:
            found.extend(_below(engine, seed, new, (held.holder, inside)))
        else:
            actual = _actual(engine, seed, held.target)
            entry = Seed(held.function, held.holder, inside, new.mark, later=True, actual=actual)
            _changed_there(engine, seed, new, entry)
    return found


def _actual(engine: Engine, seed: Seed, target: Target) -> int:
    """The class of the object that gives, where its own method calls one of a base."""
    if target.receiver < 0 or not engine.heap.is_self(seed.function, target.receiver):
        return -1
    kind = seed.actual if seed.actual >= 0 else engine.program.class_of(seed.function)
    return narrower(engine.program, kind, target.function)


_ORIGINS = {
    PARAM: _parameter,
    ATTR: _attribute,
    ITEM: _item,
    ELEMENT: _element,
    SLICE: _slice,
    NAME: _global,
    CAPTURE: _captured,
    CALL: _called,
}


def _below(engine: Engine, seed: Seed, new: Fact, place: Place) -> list[Place]:
    base, path = place
    changed = Fact(base, path, new.mark, new.round)
    if seed in engine.giving:
        engine.add(seed, changed, new)  # it was changed by somebody else, at whatever time
        return [place]
    for span, number in lasting(engine.program.functions[seed.function], new):
        engine.add(seed, changed._replace(round=number), new, span=span)
    return [place]


def _aliases(engine: Engine, seed: Seed, new: Fact, place: Place) -> None:
    """The same object was put in a field before it was changed."""
    value, path = place
    if value == new.value and seed not in engine.giving:
        return
    for user in engine.uses(seed.function).get(value, ()):
        op = engine.program.op(seed.function, user)
        if op[0] == SET_ATTR and op[3] == value:
            for cell in engine.cells(seed, op[1], op[2]):
                engine.keep(seed, new._replace(path=path), cell, origin=new)
