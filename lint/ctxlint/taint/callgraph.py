"""Which functions a call may run, and which calls may run a function.

    self.shrink(text)            the method of the class or of a base, and its overrides below
    store.fold(text)             the class that was constructed; a declared base only through its own method, or the
                                 overrides that live in the same folder when its own method is abstract
    to_thread(self.fold, text)   the first argument, by a model
    on_full(text)                whatever callers pass as `on_full`

Both directions give the same answers: `callers(f)` filters the calls that bear one of the names of `f` by `targets`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from ctxlint.ir.ops import ATTR, CALL, FUNC, IMPORT, LOOP, NAME, OUT, PARAM, SET_ATTR
from ctxlint.models import HigherOrder, Models
from ctxlint.taint.names import split, words_of
from ctxlint.taint.operands import uses
from ctxlint.taint.passing import Passed, passed
from ctxlint.taint.program import Program, Ref
from ctxlint.taint.target import Target
from ctxlint.taint.tested import Tested, tested
from ctxlint.taint.values import Kind, Values, is_property

_MAX_DUCKS = 2
_MAX_ALIASES = 6
_DISTINCTIVE = 3


class CallGraph:
    """Calls and functions of a program, resolved on demand."""

    def __init__(self, program: Program, values: Values, models: Models) -> None:
        self.program = program
        self.values = values
        self.models = models
        self.tested: Tested = tested(program)
        self._targets: dict[tuple[int, int], tuple[Target, ...]] = {}
        self._passed: dict[tuple[int, int, Target], tuple[Passed, ...]] = {}
        self._callers: dict[int, tuple[tuple[int, int], ...]] = {}
        self._uses: dict[int, dict[int, tuple[int, ...]]] = {}
        self._declared: dict[int, tuple[tuple[int, int], ...]] = {}
        self._methods: dict[str, list[int]] | None = None
        self._import_names: dict[str, set[str]] | None = None

    def uses(self, function: int) -> dict[int, tuple[int, ...]]:
        """Who reads a value of a function."""
        known = self._uses.get(function)
        if known is None:
            known = self._uses[function] = uses(self.program.functions[function])
        return known

    def targets(self, function: int, call: int) -> tuple[Target, ...]:
        """The linted functions that a call (or the read of a property) may run."""
        key = (function, call)
        known = self._targets.get(key)
        if known is None:
            self._targets[key] = ()
            known = self._targets[key] = tuple(dict.fromkeys(self._find(function, call)))
        return known

    def _find(self, function: int, call: int) -> Iterator[Target]:
        op = self.program.op(function, call)
        if op[0] == ATTR:
            yield from self._properties(function, call)
            return
        higher = self.models.flow.calls.get(self.name(function, call))
        if higher is not None and len(op[4]) > higher.function:
            yield from self._higher(function, op[4], higher)
        if op[1] >= 0:
            for ref in self.values.refs(function, op[1]):
                yield from self._from_ref(ref)
            if not self.values.refs(function, op[1]):
                yield from self._passed_in(function, op[1])
        else:
            yield from self._method(function, op[2], op[3])

    def name(self, function: int, call: int) -> str:
        """The last name of the callee as written, "" when it has none."""
        op = self.program.op(function, call)
        if op[1] < 0:
            return str(op[3])
        callee = self.program.op(function, op[1])
        return str(callee[1]) if callee[0] == NAME else self.program.functions[function].names.get(op[1], "")

    def _from_ref(self, ref: Ref) -> Iterator[Target]:
        if not isinstance(ref.target, int):
            return
        if ref.kind == "function":
            yield Target(ref.target, bound=ref.bound, given=ref.given)
        elif ref.kind == "class":
            init = self.program.method(ref.target, "__init__")
            if init >= 0:
                yield Target(init, made=ref.target, bound=True)

    def _higher(self, function: int, args: tuple[int, ...], higher: HigherOrder) -> Iterator[Target]:
        for ref in self.values.refs(function, args[higher.function]):
            if ref.kind == "function" and isinstance(ref.target, int):
                yield Target(
                    ref.target,
                    receiver=args[higher.function] if ref.bound else -1,
                    bound=ref.bound,
                    elements=higher.elements,
                    skip=higher.function + 1,
                    higher=higher,
                )

    def _passed_in(self, function: int, callee: int) -> Iterator[Target]:
        """The callee is a parameter: what do callers pass?"""
        op = self.program.op(function, callee)
        while op[0] in {LOOP, OUT}:
            op = self.program.op(function, op[1])
        if op[0] != PARAM:
            return
        for caller, call in self.callers(function):
            for value in self.arguments(caller, call, function, op[1]):
                for ref in self.values.refs(caller, value):
                    if ref.kind == "function" and isinstance(ref.target, int):
                        yield Target(ref.target, bound=ref.bound, given=ref.given)

    def arguments(self, caller: int, call: int, function: int, index: int) -> Iterator[int]:
        """The values that a call passes as one parameter of a function that it runs."""
        op = self.program.op(caller, call)
        if op[0] != CALL:
            return
        for target in self.targets(caller, call):
            if target.function == function:
                for value, position in self.passes(caller, call, target):
                    if position == index and value >= 0:
                        yield value

    def passed(self, function: int, call: int, target: Target) -> tuple[Passed, ...]:
        """What a call passes to one of its targets, remembered: each fact at the call asks for it."""
        key = (function, call, target)
        known = self._passed.get(key)
        if known is None:
            known = self._passed[key] = passed(self.program, self.program.op(function, call), target)
        return known

    def passes(self, caller: int, call: int, target: Target) -> Iterator[tuple[int, int]]:
        """Which value becomes which parameter: pairs of value and index of the parameter."""
        for link in self.passed(caller, call, target):
            if not link.taken:
                yield link.value, link.parameter

    # -- methods ---------------------------------------------------------------------------------------------

    def _method(self, function: int, receiver: int, name: str) -> Iterator[Target]:
        program, values = self.program, self.values
        op = program.op(function, receiver)
        if op[0] == CALL and self.name(function, receiver) == "super":
            kind = self._enclosing_class(function)
            found = program.method(kind, name, above=True) if kind >= 0 else -1
            if found >= 0:
                yield Target(found, receiver=receiver, bound=True)
            return
        refs = values.refs(function, receiver)
        for ref in refs:
            inner = program.attribute(ref, name)
            if inner is not None:
                yield from self._from_ref(inner)
            elif ref.kind == "module" and isinstance(ref.target, int):
                for held in values.global_refs(ref.target, name):
                    yield from self._from_ref(held)
        kinds = values.types(function, receiver)
        own = op[:2] == (PARAM, 0)
        for usable in self._usable(kinds):
            yield from self._on_instance(function, usable, receiver, name, own=own)
        if not kinds and not refs:
            yield from self._duck(receiver, name)

    def _enclosing_class(self, function: int) -> int:
        while function >= 0:
            kind = self.program.class_of(function)
            if kind >= 0:
                return kind
            owner = self.program.functions[function].owner
            if owner < 0:
                return -1
            function = self.program.function_id(function, owner)
        return -1

    @staticmethod
    def _usable(kinds: tuple[Kind, ...]) -> tuple[Kind, ...]:
        """A constructed class tells more than a declared one."""
        constructed = tuple(kind for kind in kinds if not kind.declared and isinstance(kind.target, int))
        return constructed or kinds

    def _on_instance(self, function: int, kind: Kind, receiver: int, name: str, *, own: bool) -> Iterator[Target]:
        program = self.program
        if not isinstance(kind.target, int):
            return
        found = program.method(kind.target, name)
        if found >= 0 and not program.functions[found].abstract:
            yield Target(found, receiver=receiver, bound=_binds(program.functions[found].decorators))
        if found < 0:
            for holder, held in self.values.fields(kind.target, name):
                for ref in self.values.refs(holder, held):
                    yield from self._from_ref(ref)
                yield from self._passed_in(holder, held)
        elif own or program.functions[found].abstract:
            near = program.path_of(function).rpartition("/")[0]
            for child in program.descendants(kind.target):
                local = program.classes[child].methods.get(name)
                override = -1 if local is None else program.first_function[program.module_of_class[child]] + local
                if override >= 0 and program.path_of(override).startswith(near):
                    yield Target(override, receiver=receiver, bound=_binds(program.functions[override].decorators))

    def _duck(self, receiver: int, name: str) -> Iterator[Target]:
        """Nothing is known about the receiver: a telling name that only one or two classes have will do."""
        if not words_of(name) & self.models.words.around and not self._distinctive(name):
            return
        if self._methods is None:
            self._methods = {}
            for function, owner in enumerate(self.program.functions):
                if owner.class_index >= 0 and not owner.abstract:
                    self._methods.setdefault(owner.name, []).append(function)
        found = self._methods.get(name, [])
        if 0 < len(found) <= _MAX_DUCKS:
            for function in found:
                yield Target(function, receiver=receiver, bound=True)

    def _distinctive(self, name: str) -> bool:
        """A name of three words and more is nobody else's; what models know is everybody's."""
        return len(split(name)) >= _DISTINCTIVE and name not in self.models.by_method

    def _properties(self, function: int, read: int) -> Iterator[Target]:
        op = self.program.op(function, read)
        for kind in self._usable(self.values.types(function, op[1])):
            if isinstance(kind.target, int):
                found = self.program.method(kind.target, op[2])
                if found >= 0 and is_property(self.program.functions[found].decorators):
                    yield Target(found, receiver=op[1], bound=True)

    # -- the other way ---------------------------------------------------------------------------------------

    def callers(self, function: int) -> tuple[tuple[int, int], ...]:
        """The calls and property reads that may run a function, in the order of the files."""
        known = self._callers.get(function)
        if known is None:
            self._callers[function] = ()
            known = self._callers[function] = tuple(self._find_callers(function))
        return known

    def _find_callers(self, function: int) -> Iterator[tuple[int, int]]:
        program = self.program
        owner = program.functions[function]
        names = self._names(function)
        mention = f"<{function - program.first_function[program.module_of[function]]}>"
        home = program.module_of[function]
        places = {place for name in names for index in ("calls", "mentions") for place in program.places(index, name)}
        places.update(place for place in program.places("mentions", mention) if program.module_of[place[0]] == home)
        if is_property(owner.decorators):
            places.update(program.places("attributes", owner.name))
        for caller, call in sorted(places):
            if any(target.function == function for target in self.targets(caller, call)):
                yield caller, call

    def askers(self, function: int) -> tuple[tuple[int, int], ...]:
        """The calls of a function, and those of the abstract methods that it stands in for."""
        owner = self.program.functions[function]
        found = dict.fromkeys(self.callers(function))
        kind = self.program.class_of(function)
        if kind >= 0:
            for ancestor in self.program.ancestors(kind)[1:]:
                above = self.program.method(ancestor, owner.name)
                if above >= 0 and self.program.functions[above].abstract:
                    found.update(dict.fromkeys(self._declared_callers(above, owner.name)))
                    break
        return tuple(found)

    def _declared_callers(self, function: int, name: str) -> tuple[tuple[int, int], ...]:
        """The calls of an abstract method through what is declared to be of its class."""
        known = self._declared.get(function)
        if known is None:
            program = self.program
            known = self._declared[function] = tuple(
                (caller, call)
                for caller, call in program.places("calls", name)
                if program.op(caller, call)[2] >= 0
                and any(
                    isinstance(kind.target, int) and program.method(kind.target, name) == function
                    for kind in self.values.types(caller, program.op(caller, call)[2])
                )
            )
        return known

    def _names(self, function: int) -> list[str]:
        """The names under which a function is called: its own, its class's, those it is stored or passed under."""
        program = self.program
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
        if owner.class_index < 0 or words_of(owner.name) & self.models.words.around:
            names.update(dict.fromkeys(self._stored_as(function, owner.name)))
        names.update(dict.fromkeys(self._renamed(function, owner.name)))
        names.update(self._defaults.get(function, {}))
        names.update(dict.fromkeys(self._lambda_names(function)))
        return list(names)

    def imported_as(self, name: str) -> set[str]:
        """The other names under which files import something of this name."""
        return self._by_import_name.get(name, set())

    @property
    def _by_import_name(self) -> dict[str, set[str]]:
        if self._import_names is None:
            self._import_names = {}
            for index, module in enumerate(self.program.modules):
                body = self.program.functions[self.program.first_function[index]]
                for name, (value, *_) in body.variables.items():
                    op = module.functions[0].ops[value]
                    if op[0] == IMPORT and op[2] and op[2] != name:
                        self._import_names.setdefault(op[2], set()).add(name)
        return self._import_names

    def _renamed(self, function: int, name: str) -> Iterator[str]:
        """Variables and fields that hold a function: `shorter = writer.abridge`, `step = partial(shrink, llm)`."""
        home = self.program.module_of[function]
        mention = f"<{function - self.program.first_function[home]}>"
        places = self.program.places
        reads = [place for index in ("attributes", "globals_read", "mentions") for place in places(index, name)]
        reads.extend(place for place in places("mentions", mention) if self.program.module_of[place[0]] == home)
        for holder, value in reads:
            alias = self.program.functions[holder].names.get(value, "").rpartition(".")[2]
            if alias and any(ref.target == function for ref in self.values.refs(holder, value)):
                yield alias

    @cached_property
    def _defaults(self) -> dict[int, dict[str, None]]:
        """For each function, the parameters that hold it where the caller passes none."""
        found: dict[int, dict[str, None]] = {}
        for function, owner in enumerate(self.program.functions):
            for parameter in owner.parameters if owner.owner >= 0 else ():
                holder = self.program.function_id(function, owner.owner)
                if parameter.default and self.program.op(holder, parameter.default)[0] in {FUNC, IMPORT, NAME}:
                    for ref in self.values.refs(holder, parameter.default):
                        if ref.kind == "function" and isinstance(ref.target, int):
                            found.setdefault(ref.target, {})[parameter.name] = None
        return found

    def _lambda_names(self, function: int) -> Iterator[str]:
        """The variables that a lambda is assigned to."""
        owner = self.program.functions[function]
        if owner.name == "<lambda>" and owner.owner >= 0:
            around = self.program.functions[self.program.function_id(function, owner.owner)]
            local = function - self.program.first_function[self.program.module_of[function]]
            for value, name in around.names.items():
                if around.ops[value][:2] == (FUNC, local):
                    yield name.rpartition(".")[2]

    def _stored_as(self, function: int, name: str) -> Iterator[str]:
        """Parameters and fields through which a function is handed on, one step deep."""
        count = 0
        program = self.program
        mention = f"<{function - program.first_function[program.module_of[function]]}>"
        for index, module in enumerate(program.modules):
            places = list(module.mentions.get(name, ()))
            if index == program.module_of[function]:
                places.extend(module.mentions.get(mention, ()))
            for local, call in places:
                caller = program.first_function[index] + local
                op = program.op(caller, call)
                for keyword, value in op[5]:
                    if count < _MAX_ALIASES and any(
                        ref.target == function for ref in self.values.refs(caller, value)
                    ):
                        count += 1
                        yield keyword
                for target in self.targets(caller, call):
                    if count >= _MAX_ALIASES:
                        return
                    for value, position in self.passes(caller, call, target):
                        if any(ref.target == function for ref in self.values.refs(caller, value)):
                            count += 1
                            yield from self._parameter_names(target.function, position)

    def _parameter_names(self, function: int, position: int) -> Iterator[str]:
        owner = self.program.functions[function]
        yield owner.parameters[position].name
        for op in owner.ops:
            if op[0] == SET_ATTR and owner.ops[op[3]][:2] == (PARAM, position):
                yield op[2]


def _binds(decorators: tuple[str, ...]) -> bool:
    return "staticmethod" not in decorators
