"""Objects of one class that are held side by side: what is put into the one does not come out of the other.

class Project:
    def __init__(self, root):
        self.drafts = Folder(root, "drafts")        self.project.drafts.save(memo)      written to this folder ...
        self.notes = Folder(root, "notes")          self.project.notes.load(key)        ... and not read from that one

The same for what their methods keep in fields of their own: `self._notes[key] = memo` in `Folder.save`.

An object is known by the field that holds it, when one call makes all that the field ever holds. Two of them are
apart when they are two fields of one object, or when other constants were given to the calls that made them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ctxlint.ir.ops import ATTR, CALL, ITEM, OUT
from ctxlint.taint.objects import is_property
from ctxlint.taint.selves import origin
from ctxlint.taint.shelves import constants
from ctxlint.taint.spelling import spelled

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from ctxlint.taint.callgraph import CallGraph
    from ctxlint.taint.heap import Cell
    from ctxlint.taint.regions import Seed
    from ctxlint.taint.target import Target

_MAX_STEPS = 4


class Held(NamedTuple):
    """An object by the class and field that hold it, and what the call which made it was given.

    `given` are the constants among the arguments, `spelled` all of them as they are written; `new` when the call is
    of a class: no two such calls give the same object.
    """

    holder: int
    field: str
    given: tuple[tuple[int | str, object], ...]
    spelled: tuple[str, ...]
    new: bool


class Abreast:
    """Answers about the objects on which methods are called."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self._numbers: dict[Held, int] = {}
        self._held: list[Held] = []
        self._known: dict[tuple[int, int], int] = {}

    def inward(self, seed: Seed, target: Target, *, own: bool) -> int:
        """The number of the object that a called method belongs to, -1 when it is not known."""
        if own:
            return seed.held
        return self.of(seed.function, target.receiver) if target.made < 0 else -1

    def outward(self, inner: Seed, caller: int, target: Target, *, own: bool) -> int | None:
        """The number of the caller's own object; None when the call is for another object than the inner one."""
        if inner.held < 0 or target.receiver < 0:
            return -1
        if own:
            return inner.held
        return None if self.apart(inner.held, self.of(caller, target.receiver)) else -1

    def inside(self, held: int, kinds: Sequence[int], function: int) -> int:
        """The number of an object of these classes in the methods of the class, else -1."""
        kind = self.graph.program.class_of(function) if held >= 0 else -1
        return held if kind >= 0 and any(self.graph.program.related(kind, other) for other in kinds) else -1

    def kept(self, held: int, cell: Cell, function: int) -> int:
        """The number of the object whose field a cell is, in a method of its class, else -1."""
        return self.inside(held, (cell.owner,) if cell.kind == "field" else (), function)

    def of(self, function: int, receiver: int) -> int:
        """The number of the object that a value is, -1 when its field does not tell."""
        if receiver < 0:
            return -1
        key = (function, receiver)
        known = self._known.get(key)
        if known is None:
            held = self._find(function, receiver)
            known = -1 if held is None else self._numbers.setdefault(held, len(self._numbers))
            if known == len(self._held) and held is not None:
                self._held.append(held)
            self._known[key] = known
        return known

    def _find(self, function: int, value: int) -> Held | None:
        """The field that a value is read from, also through a property that only gives it."""
        program = self.graph.program
        for _ in range(_MAX_STEPS):
            value = origin(program.functions[function].ops, value)
            op = program.op(function, value)
            if op[0] != ATTR:
                return None
            kinds = dict.fromkeys(
                kind.target for kind in self.graph.values.types(function, op[1]) if isinstance(kind.target, int)
            )
            if len(kinds) != 1:
                return None
            kind = next(iter(kinds))
            method = program.method(kind, op[2])
            if method < 0:
                return self._field(kind, op[2])
            given = program.functions[method]
            if not is_property(given.decorators) or len(given.returns) != 1:
                return None
            function, value = method, given.returns[0]
            if program.op(function, value)[0] == CALL:
                return self._made(kind, op[2], (function, value))
        return None

    def _field(self, kind: int, name: str) -> Held | None:
        # After `self.drafts.save(memo)` the field holds the object that it held before.
        program = self.graph.program
        made = dict.fromkeys(held for held in self.graph.values.fields(kind, name) if program.op(*held)[0] != OUT)
        return self._made(kind, name, next(iter(made))) if len(made) == 1 else None

    def _made(self, kind: int, name: str, made: tuple[int, int]) -> Held | None:
        graph = self.graph
        op = graph.program.op(*made)
        if op[0] != CALL or not self._beside(kind, name, graph.name(*made)):
            return None
        given = constants(graph, *made)
        texts = (spelled(graph, made[0], value) for value in (*op[4], *(held for _, held in op[5])))
        callee = op[1]
        while callee >= 0 and graph.program.op(made[0], callee)[0] == ITEM:
            callee = graph.program.op(made[0], callee)[1]  # `Cache[str](size)`
        new = callee >= 0 and any(ref.kind == "class" for ref in graph.values.refs(made[0], callee))
        return Held(kind, name, tuple(sorted(given.items(), key=str)), tuple(texts), new)

    def _beside(self, kind: int, name: str, maker: str) -> bool:
        """Another field of the class is made in the same way."""
        graph = self.graph
        return any(
            graph.program.op(*made)[0] == CALL and graph.name(*made) == maker
            for holder in graph.program.ancestors(kind)
            for other, made in self._fields(holder)
            if other != name
        )

    def _fields(self, kind: int) -> Iterator[tuple[str, tuple[int, int]]]:
        """The fields of a class, and its properties, with what is assigned to them or given back by them."""
        values, program = self.graph.values, self.graph.program
        for name in values.names(kind):
            yield from ((name, made) for made in values.fields(kind, name, below=False))
        first = program.first_function[program.module_of_class[kind]]
        for name, local in program.classes[kind].methods.items():
            method = program.functions[first + local]
            if is_property(method.decorators):
                yield from ((name, (first + local, value)) for value in method.returns)

    def apart(self, one: int, other: int) -> bool:
        """Two objects, by their numbers, are known not to be the same."""
        if min(one, other) < 0 or one == other:
            return False
        first, second = self._held[one], self._held[other]
        if first.field != second.field and self.graph.program.related(first.holder, second.holder):
            return (first.new and second.new) or first[2:4] != second[2:4]
        texts, others = dict(first.given), dict(second.given)
        if any(key in others and others[key] != text for key, text in texts.items()):
            return True
        # Nobody who reads the code takes `self.recaps = folder("recaps")` for `self.sources = folder(self.root)`.
        return first.field != second.field and texts != others
