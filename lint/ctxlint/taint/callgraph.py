"""Which functions a call may run, and which calls may run a function.

    self.shrink(text)            the method of the class or of a base, and its overrides below
    store.fold(text)             the class that was constructed; a declared base only through its own method, or the
                                 overrides that live in the same folder when its own method is abstract
    to_thread(self.fold, text)   the first argument, by a model
    on_full(text)                whatever callers pass as `on_full`

Both directions give the same answers: `callers(f)` filters the calls that bear one of the names of `f` by `targets`.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ctxlint.ir.ops import ATTR, CALL, FUNC, NAME, PARAM, SET_ATTR, Op
from ctxlint.models import HigherOrder, Models
from ctxlint.taint.calling import Calling
from ctxlint.taint.declared import Kind
from ctxlint.taint.ducks import Ducks
from ctxlint.taint.fieldings import Fieldings
from ctxlint.taint.handed import Handed
from ctxlint.taint.indirect import Indirect
from ctxlint.taint.joined import StepBack
from ctxlint.taint.mapped import Mapped
from ctxlint.taint.naming import Naming
from ctxlint.taint.objects import is_property
from ctxlint.taint.operands import uses
from ctxlint.taint.operators import OPERATORS, Operators
from ctxlint.taint.overriding import Overrides
from ctxlint.taint.passing import Passed, passed
from ctxlint.taint.program import Program, Ref
from ctxlint.taint.protocols import Protocols
from ctxlint.taint.selves import is_own
from ctxlint.taint.target import Target
from ctxlint.taint.tested import SLICES, Tested, tested
from ctxlint.taint.values import Values

_MAX_HELD = 6
"""Who holds more functions than this in one collection has a registry: which of them a call runs is not known."""
_MAX_GIVEN = 16
"""A class whose objects are made with more functions than this, each with its own, is such a registry, too."""


class CallGraph:
    """Calls and functions of a program, resolved on demand."""

    def __init__(self, program: Program, values: Values, models: Models) -> None:
        self.program = program
        self.values = values
        self.models = models
        self.tested: Tested = tested(program, models)
        self.indirect = Indirect(program, values)
        self.protocols = Protocols(program)
        self.mapped = Mapped(self)
        self.naming = Naming(self)
        self._calling = Calling(self)
        self.handed = Handed(self)
        self.overrides = Overrides(program)
        self.fieldings = Fieldings(program)
        self.operators = Operators(self)
        self._indexes: dict[int, bool] = {}
        self.ducks = Ducks(self)
        self._targets: dict[tuple[int, int], tuple[Target, ...]] = {}
        self._links: dict[tuple[int, int], tuple[tuple[Target, tuple[Passed, ...]], ...]] = {}
        self._passed: dict[tuple[int, int, Target], tuple[Passed, ...]] = {}
        self._callers: dict[int, tuple[tuple[int, int], ...]] = {}
        self._uses: dict[int, dict[int, tuple[int, ...]]] = {}
        self._declared: dict[int, tuple[tuple[int, int], ...]] = {}
        self.learned = 0
        """How often the targets of an operation were found out later."""
        self.answering: dict[int, bool] = {}
        self.answered: dict[tuple[int, int], bool] = {}
        """Functions that give back what a model answered, and values that are it, as far as anyone has asked."""
        self.beside: dict[tuple[int, int, int], dict[str, object]] = {}
        """What a display or a constructor call writes next to a value (`marks.siblings`)."""
        self.steps_back: dict[tuple[int, int], StepBack] = {}
        """Where values come from, as far as every search for prompts finds the same."""
        self.noted: dict[tuple[int, int], tuple[str, ...]] = {}
        """The names under which a prompt may be known that is made of a value."""

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

    def sets_index(self, function: int) -> bool:
        """The function gives a value to a name from which on some slice takes what stands behind."""
        known = self._indexes.get(function)
        if known is None:
            owner = self.program.functions[function]
            given = [op[2] for op in owner.ops if op[0] == SET_ATTR]
            given.extend(name.rpartition(".")[2] for name in owner.names.values())
            known = self._indexes[function] = any((SLICES, name) in self.tested for name in given)
        return known

    def learn(self, function: int, read: int, found: tuple[Target, ...]) -> None:
        """Note what an operation runs, that only what flows into it could tell."""
        self._targets[function, read] = found
        self.learned += 1

    def _find(self, function: int, call: int) -> Iterator[Target]:
        op = self.program.op(function, call)
        if op[0] == ATTR:
            yield from self._properties(function, call)
            return
        if op[0] in OPERATORS:
            yield from self.operators.targets(function, call)
            return
        higher = self.models.flow.calls.get(self.name(function, call))
        if higher is not None:
            yield from self._higher(function, op, higher)
        if op[1] >= 0:
            yield from self._named(function, op[1])
        else:
            yield from self._method(function, op[2], op[3])

    def _named(self, function: int, callee: int) -> Iterator[Target]:
        wrapped = self.indirect.wrapped(function, callee)
        refs = self.values.refs(function, callee)
        for ref in refs:
            yield from self._from_ref(ref)
            if ref.kind == "function" and isinstance(ref.target, int):
                for wrapper in self.indirect.wrappers(ref.target):
                    yield Target(wrapper, bound=ref.bound, given=ref.given)
        if wrapped is not None:
            for decorated in wrapped:
                yield Target(decorated)
        elif not refs:
            yield from self._instance(function, callee, self.values.types(function, callee))
            yield from self._passed_in(function, callee)
            held_in = [target for place in self.indirect.element(function, callee) for target in self._held(*place)]
            # Who runs the handlers of one event does not run those of another.
            most = 1 if self.indirect.is_nested(function, callee) else _MAX_HELD
            yield from held_in if len({target.function for target in held_in}) <= most else ()
            for kind in self._usable(self.values.types(function, callee)):
                yield from self._on_instance(function, kind, callee, "__call__", own=False)

    def _instance(self, function: int, receiver: int, kinds: Iterable[Kind]) -> Iterator[Target]:
        """An object is called: its class says what runs."""
        for kind in self._usable(tuple(kinds)):
            if isinstance(kind.target, int) and self.program.method(kind.target, "__call__") >= 0:
                yield from self._on_instance(function, kind, receiver, "__call__", own=False)

    def _held(self, function: int, value: int) -> Iterator[Target]:
        for ref in self.values.refs(function, value):
            yield from self._from_ref(ref)
        yield from self._passed_in(function, value)

    def _given(self, function: int, value: int, receiver: int) -> Iterator[Target]:
        """What a field holds; a method that only subclasses have gets its object, as any method does."""
        op = self.program.op(function, value)
        if op[0] == FUNC and receiver >= 0:
            method = self.program.function_id(function, op[1])
            if self.program.functions[method].class_index >= 0:
                yield Target(method, receiver=receiver, bound=_binds(self.program.functions[method].decorators))
                return
        yield from self._held(function, value)

    def name(self, function: int, call: int) -> str:
        """The last name of the callee as written, "" when it has none (a property and an operator have none)."""
        op = self.program.op(function, call)
        if op[0] != CALL:
            return ""
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

    def _higher(self, function: int, op: Op, higher: HigherOrder) -> Iterator[Target]:
        args, keywords = op[4], dict(op[5])
        at = higher.function
        if len(args) > at + 1 and self.program.op(function, args[at])[0] == ATTR:
            # `pool.submit(context.run, step, x)` runs `step(x)`.
            at += self.program.op(function, args[at])[2] == "run" and not self.values.refs(function, args[at])
        held = args[at] if len(args) > at else keywords.get(higher.keyword, -1)
        behind = args[at + 1] if higher.packed and len(args) > at + 1 else -1
        packed = keywords.get(higher.packed, behind) if higher.packed else -1
        for ref in self.values.refs(function, held) if held >= 0 else ():
            if ref.kind == "function" and isinstance(ref.target, int):
                yield Target(
                    ref.target,
                    receiver=held if ref.bound else -1,
                    bound=ref.bound,
                    elements=higher.elements,
                    skip=len(args) if higher.packed else at + 1,
                    packed=packed,
                    given=ref.given,
                    higher=higher,
                )

    def _passed_in(self, function: int, callee: int) -> Iterator[Target]:
        """The callee is a parameter: what do callers pass?"""
        for ref in self.handed.functions(function, callee):
            if isinstance(ref.target, int):
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

    def links(self, function: int, call: int) -> tuple[tuple[Target, tuple[Passed, ...]], ...]:
        """The targets of a call, each with what it passes to it."""
        key = (function, call)
        known = self._links.get(key)
        if known is None:
            targets = self.targets(function, call)
            known = tuple((target, self.passed(function, call, target)) for target in targets)
            if targets:
                self._links[key] = known
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
            kind = self.program.enclosing_class(function)
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
        kinds = values.types(function, receiver) or (() if refs else self._held_kinds(function, receiver))
        own = is_own(program.functions[function], receiver) or op[:2] == (PARAM, 0)
        for usable in self._usable(kinds):
            yield from self._on_instance(function, usable, receiver, name, own=own)
        if not kinds and not refs:
            yield from self.ducks.methods(function, receiver, name)

    def _held_kinds(self, function: int, value: int) -> tuple[Kind, ...]:
        """The classes of what is put in the collection that a value was taken out of; of a row, its class."""
        row = self.mapped.taken(function, value)
        if row >= 0:
            return (Kind(row),)
        places = self.indirect.element(function, value)
        kinds = tuple(dict.fromkeys(kind for place in places for kind in self.values.types(*place)))
        return kinds if len(kinds) <= _MAX_HELD else ()

    @staticmethod
    def _usable(kinds: Iterable[Kind]) -> tuple[Kind, ...]:
        """A constructed class tells more than a declared one."""
        kinds = tuple(kinds)
        constructed = tuple(kind for kind in kinds if not kind.declared and isinstance(kind.target, int))
        return constructed or kinds

    def _on_instance(self, function: int, kind: Kind, receiver: int, name: str, *, own: bool) -> Iterator[Target]:
        program = self.program
        if not isinstance(kind.target, int):
            return
        found = program.method(kind.target, name)
        if found < 0:
            places = self.values.fields(kind.target, name)
            held_in = dict.fromkeys(target for place in places for target in self._given(*place, receiver))
            yield from held_in if len(held_in) <= _MAX_GIVEN else ()
            if name != "__call__":
                yield from self._instance(function, -1, self.values.field_types(kind.target, name))
            return
        abstract = program.functions[found].abstract
        stand_ins = self.protocols.implementers(kind.target, name) if abstract else (found,)
        for runs in (*stand_ins, *self.indirect.wrappers(found)):
            yield Target(runs, receiver=receiver, bound=_binds(program.functions[found].decorators))
        if own or abstract or (kind.declared and kind.target in self.overrides.never_made):
            for override in self.overrides.of(kind.target, name, function, own=own):
                yield Target(override, receiver=receiver, bound=_binds(program.functions[override].decorators))

    def _properties(self, function: int, read: int) -> Iterator[Target]:
        op = self.program.op(function, read)
        if op[2] not in self.program.properties_named:
            return
        for kind in self._usable(self.values.types(function, op[1]) or self._held_kinds(function, op[1])):
            if isinstance(kind.target, int):
                found = self.program.method(kind.target, op[2])
                if found >= 0 and is_property(self.program.functions[found].decorators):
                    yield Target(found, receiver=op[1], bound=True)

    def setters(self, function: int, assignment: int) -> tuple[int, ...]:
        """The linted functions that an assignment to an attribute runs."""
        _, base, name, _ = self.program.op(function, assignment)
        kinds = self._usable(self.values.types(function, base)) if name in self.indirect.setters else ()
        found = self.indirect.setters.get(name, {})
        classes = [kind.target for kind in kinds if isinstance(kind.target, int)]
        return tuple(found[other] for kind in classes for other in self.program.ancestors(kind) if other in found)[:1]

    # -- the other way ---------------------------------------------------------------------------------------

    def callers(self, function: int) -> tuple[tuple[int, int], ...]:
        """The calls and property reads that may run a function, in the order of the files."""
        known = self._callers.get(function)
        if known is None:
            self._callers[function] = ()
            known = self._callers[function] = self._calling.of(function)
        return known

    def askers(self, function: int) -> tuple[tuple[int, int], ...]:
        """The calls of a function, those that get it to call it, and those of the methods that it stands in for."""
        owner = self.program.functions[function]
        found = dict.fromkeys((*self.callers(function), *self._given_to(function)))
        kind = self.program.class_of(function)
        if kind >= 0:
            above = (self.program.method(ancestor, owner.name) for ancestor in self.program.ancestors(kind)[1:])
            for method in dict.fromkeys(method for method in above if method >= 0):
                found.update(dict.fromkeys(self._declared_callers(method, owner.name)))
                found.update(dict.fromkeys(self._given_to(method)))
        return tuple(found)

    def _given_to(self, function: int) -> Iterator[tuple[int, int]]:
        """The calls that get the function, as an argument or from who makes it: who gets it may run it."""
        home = self.program.module_of[function]
        owner = self.program.functions[function]
        if owner.owner > 0:
            for place in self.program.places("mentions", f"<{function - self.program.first_function[home]}>"):
                if self.program.module_of[place[0]] == home:
                    yield place
            maker = self.program.function_id(function, owner.owner)
            if any(
                ref.target == function
                for value in self.program.functions[maker].returns
                for ref in self.values.refs(maker, value)
            ):
                yield from self.callers(maker)
        for caller, call in self.program.places("mentions", owner.name):
            op = self.program.op(caller, call)
            if op[0] == CALL and any(
                ref.target == function and ref.kind == "function"
                for value in (*op[4], *(held for _, held in op[5]))
                for ref in self.values.refs(caller, value)
            ):
                yield caller, call

    def _declared_callers(self, function: int, name: str) -> tuple[tuple[int, int], ...]:
        """The calls of a method through what is declared to be of its class."""
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


def _binds(decorators: tuple[str, ...]) -> bool:
    return "staticmethod" not in decorators
