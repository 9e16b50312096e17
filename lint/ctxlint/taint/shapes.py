"""What kind of thing the objects of a class are: components that keep state, or values that are handed around.

    class Desk:                                    a component: a method changes a field of its own object,
        def file(self, note): self.notes.append(note)          ... so `notes` of any desk is "the desk's notes"
    class App: desk = Desk()                       a component: another object or the module keeps it
    notes.append(Note(text))                       a value: it stands in lists, and its text is one note's text

A field of a component stands for that field in the whole program; a field of a value is followed with the value.
"""

from __future__ import annotations

from ctxlint.ir.ops import ATTR, BUILD, CALL, EXIT, IN_LIST, OUT, PARAM, PHI, SET_ATTR, SET_ITEM
from ctxlint.taint.callgraph import CallGraph

_CONSTRUCTORS = frozenset({"__init__", "__post_init__", "model_post_init", "__new__", "__setstate__"})


class Shapes:
    """Answers about classes, each worked out once."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self.program = graph.program
        self._changed: dict[int, frozenset[str]] = {}
        self._uses: dict[int, tuple[bool, bool]] = {}

    def keeps(self, kind: int, name: str) -> bool:
        """A field of the class is state of a component."""
        family = (*self.program.ancestors(kind), *self.program.descendants(kind))
        changed = frozenset[str]().union(*(self._changes(other) for other in family))
        if name in changed:
            return True
        uses = [self._constructions(other) for other in (kind, *self.program.descendants(kind))]
        listed = any(use[1] for use in uses)
        return not listed and (bool(changed) or any(use[0] for use in uses))

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
        ops = self.program.functions[function].ops
        found: set[str] = set()
        for op in ops:
            if op[0] == SET_ATTR and ops[op[1]][:2] == (PARAM, 0):
                found.add(op[2])
            elif op[0] in {OUT, SET_ITEM} and ops[op[1]][0] == ATTR and ops[ops[op[1]][1]][:2] == (PARAM, 0):
                found.add(ops[op[1]][2])
        return found

    def _constructions(self, kind: int) -> tuple[bool, bool]:
        """Some construction is kept by a module or an object; some becomes an element of a collection."""
        known = self._uses.get(kind)
        if known is None:
            kept = listed = False
            for function, call in self.program.places("calls", self.program.classes[kind].name):
                kept = kept or self._is_kept(function, call)
                listed = listed or self._is_listed(function, call)
            known = self._uses[kind] = (kept, listed)
        return known

    def _is_kept(self, function: int, call: int) -> bool:
        owner = self.program.functions[function]
        name = owner.names.get(call, "")
        return owner.owner < 0 or name.startswith("self.")

    def _is_listed(self, function: int, call: int) -> bool:
        ops = self.program.functions[function].ops
        same = {call}
        for value in range(call + 1, len(ops)):
            op = ops[value]
            kind = op[0]
            if kind in {PHI, EXIT} and not same.isdisjoint(op[1]):
                same.add(value)
            elif kind == BUILD and any(field == IN_LIST and held in same for field, held in op[1]):
                return True
            elif kind == CALL and op[3] in self.graph.models.flow.appends and not same.isdisjoint(op[4]):
                return True
        return not same.isdisjoint(self.program.functions[function].yields)
