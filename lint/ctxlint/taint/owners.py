"""Which store is it? What is known about the object that a record is put into or taken out of.

    self.db.upsert_session(s)       name "db", held by the class of `self`; Database, where the field is declared so
    get_store(path).save(s)         name "store"

Two objects are the same store when their classes are related, or when nothing speaks against it and both ends call it
by the same name. Two fields of one object are two stores.
"""

from __future__ import annotations

from typing import NamedTuple

from ctxlint.ir.ops import ATTR, BUILD, CALL, CAPTURE, CONST, FORMAT, NAME, PARAM, SLICE, Op
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.names import split
from ctxlint.taint.objects import sources
from ctxlint.taint.spelling import spelled

_MAX_WALK = 40
_OWN = frozenset({"self", "cls", "super"})


class Owner(NamedTuple):
    """The object that a store's function is called on.

    `holder` is the class that holds the name (else -1 minus the function), `module` the file; `classes` are linted
    classes, `outside` the dotted names of others. `telling` when the name is one that stores have.
    """

    name: str
    holder: int
    module: int
    classes: tuple[int, ...] = ()
    outside: tuple[str, ...] = ()
    telling: bool = False


class Owners:
    """Answers about receivers."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self.words = graph.models.stores

    def of(self, function: int, receiver: int) -> Owner | None:
        """What is known about a receiver; None for the containers that a program keeps in its own memory."""
        if self._contained(function, receiver):
            return None
        kinds = self.graph.values.types(function, receiver)
        names = [str(kind.target) for kind in kinds if not isinstance(kind.target, int)]
        if any(name.rpartition(".")[2] in self.words.containers for name in names):
            return None
        classes = tuple(kind.target for kind in kinds if isinstance(kind.target, int))
        text = spelled(self.graph, function, receiver)
        name = "" if text in _OWN else self.plain(text)
        kind = class_around(self.graph, function)
        return Owner(
            name,
            kind if kind >= 0 else -1 - function,
            self.graph.program.module_of[function],
            classes,
            tuple(names),
            name.rpartition("_")[2] in self.words.objects,
        )

    def plain(self, text: str) -> str:
        """The last part of a chain of names, without the words that only get it: `self._get_db()` is `db`."""
        words = list(split(text.rpartition(".")[2]))
        while len(words) > 1 and words[0] in self.words.getters:
            words.pop(0)
        return "_".join(words)

    def _contained(self, function: int, value: int) -> bool:
        """The value is a display, a text or a container that this program builds itself."""
        pending = [(function, value)]
        seen: set[tuple[int, int]] = set()
        while pending and len(seen) < _MAX_WALK:
            place = pending.pop()
            if place in seen:
                continue
            seen.add(place)
            op = self.graph.program.op(*place)
            if self._builds(place[0], op):
                return True
            pending.extend((place[0], source) for source in sources(op))
            pending.extend(self._held(place[0], op))
        return False

    def _builds(self, function: int, op: Op) -> bool:
        if op[0] == CALL and op[1] >= 0:
            callee = self.graph.program.op(function, op[1])
            return callee[0] == NAME and callee[1] in self.words.containers
        if op[0] == PARAM:
            index: int = op[1]
            annotation = self.graph.program.functions[function].parameters[index].annotation
            words = [word.rpartition(".")[2] for word in annotation.split()]
            first = next((word for word in words if word not in {"Optional", "Union", "None"}), "")
            return first in self.words.containers
        return op[0] in {BUILD, FORMAT, SLICE} or (op[0] == CONST and op[1] is not None)

    def _held(self, function: int, op: Op) -> list[tuple[int, int]]:
        """The values of a field or outer variable."""
        program = self.graph.program
        if op[0] == ATTR:
            kinds = self.graph.values.types(function, op[1])
            return [
                held
                for kind in kinds
                if isinstance(kind.target, int)
                for held in self.graph.values.fields(kind.target, op[2])
            ]
        if op[0] == CAPTURE:
            holder = program.function_id(function, op[2])
            return [(holder, held) for held in program.functions[holder].variables.get(op[1], ())]
        if op[0] == NAME:
            held = program.global_value(program.module_of[function], op[1])
            return [held] if held is not None else []
        return []


def class_around(graph: CallGraph, function: int) -> int:
    """The class in whose code a function stands, -1 for none."""
    program = graph.program
    while function >= 0:
        kind = program.class_of(function)
        owner = program.functions[function].owner
        if kind >= 0 or owner < 0:
            return kind
        function = program.function_id(function, owner)
    return -1


def same(graph: CallGraph, one: Owner, other: Owner) -> int:
    """How sure it is that two receivers are the same store: 0 not, 1 by a name alone, 2 by class or place."""
    if one.classes and other.classes:
        related = any(graph.program.related(a, b) for a in one.classes for b in other.classes)
        return 2 if related and not _apart(one, other) else 0
    outside = bool(one.outside and other.outside) and set(one.outside).isdisjoint(other.outside)
    if outside or not one.name or one.name != other.name:
        return 0
    if one.holder >= 0 and other.holder >= 0:
        return 2 if graph.program.related(one.holder, other.holder) else 1
    return 2 if one.module == other.module else 1


def _apart(one: Owner, other: Owner) -> bool:
    """Two names of one holder: two objects."""
    return bool(one.name and other.name) and one.name != other.name and one.holder == other.holder
