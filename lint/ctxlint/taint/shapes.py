"""What kind of thing the objects of a class are: components that keep state, or values that are handed around.

    class Desk:                                    a component: a method changes a field of its own object,
        def file(self, note): self.notes.append(note)          ... so `notes` of any desk is "the desk's notes"
    class App: desk = Desk()                       a component: another object or the module keeps it
    notes.append(Note(text))                       a value: it is made to be handed on, and its text is one note's

A field of a component stands for that field in the whole program; a field of a value is followed with the value.
"""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from ctxlint.ir.ops import ATTR, BUILD, CALL, EXIT, IN_LIST, OUT, PHI, SET_ATTR, SET_ITEM
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.selves import is_own

_CONSTRUCTORS = frozenset({"__init__", "__post_init__", "model_post_init", "__new__", "__setstate__"})
_LISTS = frozenset({"list", "List", "Sequence", "Iterable", "tuple", "Tuple", "deque", "set", "frozenset"})
_OFTEN = 10
_TIMES = 4
"""What is made to be handed on is made in many places, and now and then kept, such as the last message."""


class Uses(NamedTuple):
    """How many constructions of a class are kept by a module or an object, become elements, are handed on."""

    kept: int
    listed: int
    handed: int


class Shapes:
    """Answers about classes, each worked out once."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self.program = graph.program
        self._changed: dict[int, frozenset[str]] = {}
        self._uses: dict[int, Uses] = {}
        self._values: dict[int, bool] = {}

    def keeps(self, kind: int, name: str) -> bool:
        """A field of the class is state of a component."""
        if self.is_value(kind):
            return False
        if self.changes(kind, name):
            return True
        uses = self._uses_of(kind)
        return not uses.listed and (any(map(self._changes, self._family(kind))) or bool(uses.kept))

    def changes(self, kind: int, name: str) -> bool:
        """Methods of the class, or of one that it extends or that extends it, change the field."""
        return any(name in self._changes(other) for other in self._family(kind))

    def is_value(self, kind: int) -> bool:
        """Objects of the class are made to be handed on: plain records, few of them kept or worked with."""
        known = self._values.get(kind)
        if known is None:
            declared = any(self.program.classes[other].annotations for other in self.program.ancestors(kind))
            family = self._family(kind)
            plain = declared or not any(self._changes(other) for other in family)
            uses = self._uses_of(kind)
            known = self._values[kind] = plain and (
                uses.listed > uses.kept or uses.handed > max(_OFTEN, _TIMES * uses.kept)
            )
        return known

    def _family(self, kind: int) -> tuple[int, ...]:
        return (*self.program.ancestors(kind), *self.program.descendants(kind))

    def _uses_of(self, kind: int) -> Uses:
        """What becomes of the objects of a class and of its subclasses."""
        family = (kind, *self.program.descendants(kind))
        uses = [self._constructions(other) for other in family]
        uses.extend(self._held.get(self.program.classes[other].name, Uses(0, 0, 0)) for other in family)
        return Uses(*(sum(counts) for counts in zip(*uses, strict=True)))

    @cached_property
    def _held(self) -> dict[str, Uses]:
        """How many fields are declared to hold an object of a class by name, or a list of them."""
        counts: dict[str, list[int]] = {}
        for owner in self.program.classes:
            for text in owner.annotations.values():
                words = [word.rpartition(".")[2] for word in text.split()]
                many = not _LISTS.isdisjoint(words)
                for word in words:
                    if word[:1].isupper():
                        counts.setdefault(word, [0, 0, 0])[1 if many else 0] += 1
        return {name: Uses(*found) for name, found in counts.items()}

    def _changes(self, kind: int) -> frozenset[str]:
        """The fields that methods of the class change, other than those that set up an object."""
        known = self._changed.get(kind)
        if known is None:
            program = self.program
            first = program.first_function[program.module_of_class[kind]]
            found: set[str] = set()
            for name, local in program.classes[kind].methods.items():
                if name not in _CONSTRUCTORS and "staticmethod" not in program.functions[first + local].decorators:
                    found.update(self._changed_in(first + local))
            known = self._changed[kind] = frozenset(found)
        return known

    def _changed_in(self, function: int) -> set[str]:
        owner = self.program.functions[function]
        ops = owner.ops
        found: set[str] = set()
        for op in ops:
            if op[0] == SET_ATTR and is_own(owner, op[1]):
                found.add(op[2])
            elif op[0] in {OUT, SET_ITEM} and ops[op[1]][0] == ATTR and is_own(owner, ops[op[1]][1]):
                found.add(ops[op[1]][2])
        return found

    def _constructions(self, kind: int) -> Uses:
        known = self._uses.get(kind)
        if known is None:
            counts = [0, 0, 0]
            for function, call in self.program.places("calls", self.program.classes[kind].name):
                counts[self._use(function, call)] += 1
            known = self._uses[kind] = Uses(*counts)
        return known

    def _use(self, function: int, call: int) -> int:
        """What becomes of a new object: it is kept or worked with (0), becomes an element (1), is handed on (2)."""
        owner = self.program.functions[function]
        kept = owner.owner < 0 or owner.names.get(call, "").startswith("self.")
        same = {call}
        handed = not same.isdisjoint(owner.returns)
        for value in range(call + 1, len(owner.ops)):
            op = owner.ops[value]
            kind = op[0]
            if (kind in {PHI, EXIT} and not same.isdisjoint(op[1])) or (kind in {OUT, SET_ATTR} and op[1] in same):
                same.add(value)
                handed = handed or value in owner.returns
            elif kind == BUILD and any(field == IN_LIST and held in same for field, held in op[1]):
                return 1
            elif kind == CALL:
                given = not same.isdisjoint(op[4]) or any(held in same for _, held in op[5])
                if given and op[3] in self.graph.models.flow.appends:
                    return 1
                handed = handed or given
            elif kind in {SET_ATTR, SET_ITEM} and op[3] in same:
                return 0
        return 0 if kept else 1 if not same.isdisjoint(owner.yields) else 2 if handed else 0
