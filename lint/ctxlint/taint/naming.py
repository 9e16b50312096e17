"""Under which names a function may be called: its own, and those that it is imported, stored or passed under.

from notes import shrink as short        short
self.on_full = shrink                    on_full
chat.add_hook(shrink)                    the variable that takes hooks out of the list that add_hook fills
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ctxlint.ir import FunctionIR
from ctxlint.ir.ops import CALL, CLASS, FUNC, IMPORT, NAME, PARAM, SET_ATTR
from ctxlint.taint.names import words_of
from ctxlint.taint.selves import is_own

if TYPE_CHECKING:
    from ctxlint.taint.callgraph import CallGraph

_MAX_ALIASES = 6
_DEFINED = frozenset({NAME, IMPORT, FUNC, CLASS})


class Naming:
    """Finds the names of functions."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self._import_names: dict[str, set[str]] | None = None
        self._reads: dict[str, dict[int | str, list[tuple[int, int]]]] = {}

    def names(self, function: int) -> list[str]:
        """The names under which a function is called: its own, its class's, those it is stored or passed under."""
        program = self.graph.program
        owner = program.functions[function]
        names = {owner.name: None}
        if owner.name == "__init__" and owner.class_index >= 0:
            kind = program.class_of(function)
            names = {program.classes[other].name: None for other in (kind, *program.descendants(kind))}
            names["cls"] = None
            names["super"] = None
            names["__init__"] = None
        for name in list(names):
            names.update(dict.fromkeys(sorted(self._by_import_name.get(name, ()))))
        if owner.class_index < 0 or words_of(owner.name) & self.graph.models.words.around:
            names.update(dict.fromkeys(self._stored_as(function, owner.name)))
        names.update(dict.fromkeys(self._renamed(function, owner.name)))
        names.update(self._defaults.get(function, {}))
        names.update(dict.fromkeys(self._lambda_names(function)))
        for decorated in self.graph.indirect.decorated.get(function, ()):
            names[self.graph.program.functions[decorated].name] = None
        for decorator in self.graph.indirect.worn(function):
            names.update(dict.fromkeys(self._parameter_names(decorator, 0)))
        return list(names)

    def instance_calls(self, function: int) -> tuple[tuple[int, int], ...]:
        """The calls of objects that run a `__call__`."""
        return tuple(self._by_instance.get(function, ()))

    @cached_property
    def _by_instance(self) -> dict[int, list[tuple[int, int]]]:
        found: dict[int, list[tuple[int, int]]] = {}
        for first, module in zip(self.graph.program.first_function, self.graph.program.modules, strict=True):
            for name, places in module.calls.items():
                for local, call in places if name[:1].islower() or name[:1] == "_" else ():
                    function = first + local
                    if self._calls_object(function, module.functions[local], call):
                        for target in self.graph.targets(function, call):
                            if self.graph.program.functions[target.function].name == "__call__":
                                found.setdefault(target.function, []).append((function, call))
        return found

    def _calls_object(self, function: int, owner: FunctionIR, call: int) -> bool:
        """A variable that may hold an object is called, or a field of the own object that is no method."""
        op = owner.ops[call]
        if op[1] >= 0:
            return owner.ops[op[1]][0] not in _DEFINED
        if owner.class_index < 0 or not is_own(owner, op[2]):
            return False
        return self.graph.program.method(self.graph.program.class_of(function), op[3]) < 0

    def imported_as(self, name: str) -> set[str]:
        """The other names under which files import something of this name."""
        return self._by_import_name.get(name, set())

    @property
    def _by_import_name(self) -> dict[str, set[str]]:
        if self._import_names is None:
            self._import_names = {}
            for module in self.graph.program.modules:
                for name, other in module.renamed:
                    self._import_names.setdefault(name, set()).add(other)
        return self._import_names

    def _renamed(self, function: int, name: str) -> Iterator[str]:
        """Variables and fields that hold a function: `shorter = writer.abridge`, `step = partial(shrink, llm)`."""
        home = self.graph.program.module_of[function]
        mention = f"<{function - self.graph.program.first_function[home]}>"
        places = self.graph.program.places
        reads = [*self._led_to(name).get(function, ())]
        more = [place for place in places("mentions", mention) if self.graph.program.module_of[place[0]] == home]
        more.extend(self.graph.indirect.definitions(function))
        refs = self.graph.values.refs
        reads.extend(place for place in more if any(ref.target == function for ref in refs(*place)))
        for holder, value in reads:
            alias = self.graph.program.functions[holder].names.get(value, "").rpartition(".")[2]
            yield from [alias] if alias else []
            for container in self.graph.indirect.containers(holder, value):
                yield from self.graph.indirect.names_of_elements(container)

    def _led_to(self, name: str) -> dict[int | str, list[tuple[int, int]]]:
        """What the reads of a name lead to, and which do: hundreds of functions may have the name."""
        known = self._reads.get(name)
        if known is None:
            known = self._reads[name] = {}
            places = self.graph.program.places
            for index in ("attributes", "globals_read", "mentions"):
                for place in places(index, name):
                    for target in dict.fromkeys(ref.target for ref in self.graph.values.refs(*place)):
                        known.setdefault(target, []).append(place)
        return known

    @cached_property
    def _defaults(self) -> dict[int, dict[str, None]]:
        """For each function, the parameters that hold it where the caller passes none."""
        found: dict[int, dict[str, None]] = {}
        for function, owner in enumerate(self.graph.program.functions):
            for parameter in owner.parameters if owner.owner >= 0 else ():
                holder = self.graph.program.function_id(function, owner.owner)
                if parameter.default and self.graph.program.op(holder, parameter.default)[0] in {FUNC, IMPORT, NAME}:
                    for ref in self.graph.values.refs(holder, parameter.default):
                        if ref.kind == "function" and isinstance(ref.target, int):
                            found.setdefault(ref.target, {})[parameter.name] = None
        return found

    def _lambda_names(self, function: int) -> Iterator[str]:
        """The variables that a lambda is assigned to."""
        owner = self.graph.program.functions[function]
        if owner.name == "<lambda>" and owner.owner >= 0:
            around = self.graph.program.functions[self.graph.program.function_id(function, owner.owner)]
            local = function - self.graph.program.first_function[self.graph.program.module_of[function]]
            for value, name in around.names.items():
                if around.ops[value][:2] == (FUNC, local):
                    yield name.rpartition(".")[2]

    def _stored_as(self, function: int, name: str) -> Iterator[str]:
        """Parameters and fields through which a function is handed on, one step deep."""
        count = 0
        program = self.graph.program
        mention = f"<{function - program.first_function[program.module_of[function]]}>"
        home = program.module_of[function]
        own = [place for place in program.places("mentions", mention) if program.module_of[place[0]] == home]
        places = [*program.places("mentions", name), *own]
        # File by file; in its own file a function is mentioned by name first.
        sooner = sorted(places, key=lambda place: program.module_of[place[0]]) if own else places
        for caller, call in self._and_outer(function, sooner):
            op = program.op(caller, call)
            for keyword, value in op[5]:
                if count < _MAX_ALIASES and any(
                    ref.target == function for ref in self.graph.values.refs(caller, value)
                ):
                    count += 1
                    yield keyword
            for target in self.graph.targets(caller, call):
                if count >= _MAX_ALIASES:
                    return
                for value, position in self.graph.passes(caller, call, target):
                    if any(ref.target == function for ref in self.graph.values.refs(caller, value)):
                        count += 1
                        yield from self._parameter_names(target.function, position)

    def _and_outer(self, function: int, places: Iterable[tuple[int, int]]) -> Iterator[tuple[int, int]]:
        """The calls that mention a function, and those that get what they made of it: `Loop(partial(fold, llm))`."""
        for caller, call in places:
            yield caller, call
            if any(ref.target == function for ref in self.graph.values.refs(caller, call)):
                users = self.graph.uses(caller).get(call, ())
                yield from ((caller, user) for user in users if self.graph.program.op(caller, user)[0] == CALL)

    def _parameter_names(self, function: int, position: int) -> Iterator[str]:
        owner = self.graph.program.functions[function]
        yield owner.parameters[position].name
        for container in self.graph.indirect.containers(function, position + 1):
            yield from self.graph.indirect.names_of_elements(container)
        for op in owner.ops:
            if op[0] == SET_ATTR and owner.ops[op[3]][:2] == (PARAM, position):
                yield op[2]
