"""What a class is for, by the prompts that it has itself: whoever asks an object of it asks for that.

    class Folder(Agent):
        instructions = "Condense the talk so far."                 in its body
        def get_system_prompt(self): return "Condense ..."         by a method of its own
        def __init__(self):
            super().__init__(instructions="Condense ...")          given to its base

    @folder.system_prompt
    def told(): return "Condense ..."                              declared for one object

    Folder().run(turns)         a summarizer, although run() asks for whatever its class says

Only names of prompts count (`prompts` in `models/words.toml`), and only what stands in the class itself: what its
base says, the other classes of the base say as well.
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.ir.ops import CALL, IMPORT, NAME, Op
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.names import words_of
from ctxlint.taint.objects import is_property
from ctxlint.taint.program import Program
from ctxlint.taint.selves import is_own

_Place = tuple[int, int]
_SETTING_UP = "__init__"
_FEW = 2


class ClassPrompts:
    """The prompts of classes, found once a class."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self.program = graph.program
        self._known: dict[int, tuple[_Place, ...]] = {}
        self._by_decorator: dict[int, dict[str, list[int]]] = {}

    def of(self, kind: int) -> tuple[_Place, ...]:
        """The values of a class's own prompts."""
        known = self._known.get(kind)
        if known is None:
            known = self._known[kind] = tuple(self._find(kind))
        return known

    def _find(self, kind: int) -> Iterator[_Place]:
        program, found = self.program, self.program.classes[kind]
        first = program.first_function[program.module_of_class[kind]]
        for name, value in found.attributes.items():
            if self._is_prompt(name):
                yield first + found.owner, value
        for name, method in found.methods.items():
            if name == _SETTING_UP:
                yield from self._passed_up(first + method)
            elif self._is_prompt(name):
                yield from ((first + method, value) for value in program.functions[first + method].returns)

    def _passed_up(self, function: int) -> Iterator[_Place]:
        """What `__init__` gives to the one of its base."""
        for op in self.program.functions[function].ops:
            if op[0] == CALL and op[3] == _SETTING_UP:
                yield from ((function, held) for name, held in op[5] if self._is_prompt(name))

    def asked(self, function: int, call: int) -> tuple[_Place, ...]:
        """The prompts of the class whose object a call asks; none of the object's own calls of itself."""
        op = self.program.op(function, call)
        if op[2] < 0 or is_own(self.program.functions[function], op[2]):
            return ()
        kinds = [kind.target for kind in self.graph.values.types(function, op[2])]
        own = [place for kind in kinds if isinstance(kind, int) for place in self.of(kind)]
        return (*own, *self._decorated(function, self.program.op(function, op[2])))

    def _decorated(self, function: int, op: Op) -> Iterator[_Place]:
        """What functions return that are declared as prompts of a variable: `@folder.system_prompt`."""
        module, name = self.program.module_of[function], op[1]
        if op[0] == IMPORT:
            module, name = self.program.find_module(module, op[1])[0], op[2]
        elif op[0] != NAME:
            return
        for declared in self._declared(module).get(name, ()) if module >= 0 else ():
            yield from ((declared, value) for value in self.program.functions[declared].returns)

    def _declared(self, module: int) -> dict[str, list[int]]:
        known = self._by_decorator.get(module)
        if known is None:
            known = self._by_decorator[module] = {}
            first = self.program.first_function[module]
            for local, owner in enumerate(self.program.modules[module].functions):
                for decorator in owner.decorators:
                    holder, _, last = decorator.rpartition(".")
                    if holder and self._is_prompt(last):
                        known.setdefault(holder, []).append(first + local)
        return known

    def _is_prompt(self, name: str) -> bool:
        return not words_of(name).isdisjoint(self.graph.models.words.prompts)


def properties(program: Program, kind: int, name: str) -> list[int]:
    """What is read as the field of a class; of one that is only declared, those of the few subclasses."""
    method = program.method(kind, name)
    if method < 0 or not is_property(program.functions[method].decorators):
        return []
    if not program.functions[method].abstract:
        return [method]
    below = dict.fromkeys(program.method(other, name) for other in program.descendants(kind))
    found = [held for held in below if held != method]
    return found if len(found) <= _FEW else []
