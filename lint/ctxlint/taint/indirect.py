"""Functions behind something else than their name: in a list or a dict, behind a decorator.

self.hooks.append(shrink)         contents of `hooks`: shrink
for hook in self.hooks: hook(t)   ... so this call may run it
@logged                           a call of `fold` runs the function that `logged` returns, too
def fold(text): ...
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import NamedTuple

from ctxlint.ir.ops import (
    ATTR,
    BUILD,
    CALL,
    CAPTURE,
    ELEMENT,
    FILTER,
    FUNC,
    IMPORT,
    ITEM,
    LOOP,
    NAME,
    OUT,
    PARAM,
    SET_ITEM,
    SLICE,
    Op,
)
from ctxlint.taint.program import Program
from ctxlint.taint.selves import is_own
from ctxlint.taint.values import Values

Where = tuple[int, int]

_ADDING = frozenset({"append", "add", "appendleft", "insert", "push", "setdefault"})
_GIVING = frozenset(
    {"get", "pop", "values", "items", "list", "tuple", "sorted", "reversed", "dict", "enumerate", "copy"}
)
_TAKING = frozenset({"get", "pop", "popleft", "setdefault"})
_MAX_DEPTH = 6
_MAX_MADE = 2
_MAX_DECORATED = 3
_MAX_WEARERS = 1
"""Where a decorator registers several functions, which of them is meant is told by a key that is not in sight."""


class _Decorators(NamedTuple):
    made: dict[int, list[int]]
    """For each decorated function, the functions that its decorators make of it."""
    wearers: dict[int, list[int]]
    worn: dict[int, list[int]]


class Indirect:
    """Answers about functions and objects that are reached through something else."""

    def __init__(self, program: Program, values: Values) -> None:
        self.program = program
        self.values = values
        self._added: dict[int, dict[str, list[Where]]] = {}
        self._registered: dict[int, dict[str, list[Where]]] = {}
        self._taken: dict[str, tuple[str, ...]] = {}
        self._contents: dict[Where, tuple[Where, ...]] = {}
        self._known: dict[Where, tuple[Where, ...]] = {}

    # -- containers ------------------------------------------------------------------------------------------

    def element(self, function: int, value: int) -> tuple[Where, ...]:
        """What a value may be that was taken out of a collection; nothing for one that was not."""
        known = self._known.get((function, value))
        if known is None:
            self._known[function, value] = ()
            known = self._known[function, value] = tuple(self._elements(function, value))
        return known

    def is_nested(self, function: int, value: int) -> bool:
        """A value is taken out of a collection that is itself found under a key."""
        op = self._root(function, value)
        inner = self._root(function, op[1]) if op[0] == ELEMENT else ()
        return bool(inner) and (inner[0] == ITEM or (inner[0] == CALL and inner[3] in _TAKING))

    def _elements(self, function: int, value: int) -> dict[Where, None]:
        op = self._root(function, value)
        held: Iterable[Where] = ()
        if op[0] in {ELEMENT, ITEM}:
            held = self.contents(function, op[1])
        elif op[0] == CALL and op[3] in _TAKING and op[2] >= 0:
            held = (*self.contents(function, op[2]), *((function, default) for default in op[4][1:2]))
        elif op[0] == CALL and op[1] >= 0 and op[4] and self.program.op(function, op[1])[1:2] == ("next",):
            held = self.contents(function, op[4][0])
        found: dict[Where, None] = {}
        for place in held:
            # `next(note for note in notes if note.new)`: an element of an element of the display
            inner = self.element(*place)
            found.update(dict.fromkeys(inner or (place,)))
        return found

    def _root(self, function: int, value: int) -> Op:
        op = self.program.op(function, value)
        while op[0] in {LOOP, OUT, FILTER} and op[1]:
            op = self.program.op(function, op[1])
        return op

    def contents(self, function: int, value: int, depth: int = 0) -> tuple[Where, ...]:
        """The values that are put in a collection, wherever that is seen."""
        known = self._contents.get((function, value))
        if known is None:
            self._contents[function, value] = ()
            known = tuple(dict.fromkeys(self._find_contents(function, value, depth))) if depth < _MAX_DEPTH else ()
            self._contents[function, value] = known
        return known

    def _find_contents(self, function: int, value: int, depth: int) -> Iterator[Where]:
        for same in self.values.same(function, value):
            yield from self._own_contents(function, self.program.op(function, same), depth)

    def _own_contents(self, function: int, op: Op, depth: int) -> Iterator[Where]:
        kind = op[0]
        if kind == BUILD:
            yield from ((function, held) for _, held in op[1])
            return
        if kind == SET_ITEM:
            yield function, op[3]
        passed = self._passed(function, op[1]) if kind == PARAM else ()
        for holder, held in (*passed, *self._behind(function, op)):
            yield from self.contents(holder, held, depth + 1)
        if kind == NAME:
            home = self.program.global_value(self.program.module_of[function], op[1])
            if home is not None:
                yield from self._added_globally(self.program.module_of[home[0]]).get(op[1], ())
        if kind == ATTR:
            for owner in self.values.types(function, op[1]):
                if isinstance(owner.target, int):
                    for other in (*self.program.ancestors(owner.target), *self.program.descendants(owner.target)):
                        yield from self._additions(other).get(op[2], ())

    def _behind(self, function: int, op: Op) -> Iterator[Where]:
        kind = op[0]
        if kind in {ELEMENT, ITEM, SLICE}:
            yield function, op[1]
        elif kind == NAME:
            held = self.program.global_value(self.program.module_of[function], op[1])
            if held is not None:
                yield held
        elif kind == CAPTURE:
            owner = self.program.function_id(function, op[2])
            yield from ((owner, value) for value in self.program.functions[owner].variables.get(op[1], ()))
        elif kind == ATTR:
            for owner_kind in self.values.types(function, op[1]):
                if isinstance(owner_kind.target, int):
                    yield from self.values.fields(owner_kind.target, op[2])
        elif kind == CALL:
            name = op[3] or (self.program.op(function, op[1])[1:2] or ("",))[0]
            if name in _GIVING:
                yield from ((function, value) for value in (op[2], *op[4][:1]) if value >= 0)

    def _passed(self, function: int, index: int) -> Iterator[Where]:
        """What the few constructions of a class pass to its constructor: `Pipeline([Gather(), Fold()])`."""
        owner = self.program.functions[function]
        kind = self.program.class_of(function)
        if kind < 0 or owner.name != "__init__" or not index:
            return
        name = owner.parameters[index].name
        places = self.program.places("calls", self.program.classes[kind].name)
        for caller, call in places if len(places) <= _MAX_MADE else ():
            op = self.program.op(caller, call)
            if op[1] >= 0 and any(
                ref.target == kind and ref.kind == "class" for ref in self.values.refs(caller, op[1])
            ):
                yield from ((caller, value) for value in op[4][index - 1 : index])
                yield from ((caller, value) for keyword, value in op[5] if keyword == name)

    def _additions(self, kind: int) -> dict[str, list[Where]]:
        """What methods of a class add to the collections in the fields of their own object."""
        known = self._added.get(kind)
        if known is None:
            known = self._added[kind] = {}
            first = self.program.first_function[self.program.module_of_class[kind]]
            for local in self.program.classes[kind].methods.values():
                function = first + local
                for op in self.program.functions[function].ops:
                    base, held = _addition(op)
                    field = self._root(function, self._outermost(function, base)) if held >= 0 else ()
                    if field and field[0] == ATTR and is_own(self.program.functions[function], field[1]):
                        known.setdefault(field[2], []).append((function, held))
        return known

    def _outermost(self, function: int, base: int) -> int:
        """`self.hooks[name].append(f)` and `self.hooks.setdefault(name, []).append(f)` add to what is in `hooks`."""
        op = self._root(function, base)
        if op[0] == ITEM:
            return int(op[1])
        return int(op[2]) if op[0] == CALL and op[3] in _TAKING and op[2] >= 0 else base

    def _added_globally(self, module: int) -> dict[str, list[Where]]:
        """What the functions of a module add to the collections in its variables."""
        known = self._registered.get(module)
        if known is None:
            known = self._registered[module] = {}
            first = self.program.first_function[module]
            for local, owner in enumerate(self.program.modules[module].functions):
                for op in owner.ops:
                    base, held = _addition(op)
                    if held >= 0:
                        root = self._root(first + local, self._outermost(first + local, base))
                        if root[0] == NAME:
                            known.setdefault(root[1], []).append((first + local, held))
        return known

    def names_of_elements(self, container: str) -> tuple[str, ...]:
        """The variables that are taken out of collections with a name, "" for calls that use none."""
        known = self._taken.get(container)
        if known is None:
            known = self._taken[container] = tuple(dict.fromkeys(("", *self._find_taken(container))))
        return known

    def _find_taken(self, container: str) -> Iterator[str]:
        for index in ("attributes", "globals_read"):
            for function, read in self.program.places(index, container):
                owner = self.program.functions[function]
                same = {read}
                for value in range(read + 1, len(owner.ops)):
                    op = owner.ops[value]
                    taken = op[0] in {ELEMENT, ITEM, OUT, LOOP} and op[1] in same
                    given = op[0] == CALL and op[3] in _GIVING and op[2] in same
                    if taken or given:
                        same.add(value)
                        name = owner.names.get(value, "")
                        if name:
                            yield name

    def containers(self, function: int, value: int) -> Iterator[str]:
        """The names of collections of the same function that a value is put in."""
        owner = self.program.functions[function]
        for user in range(value + 1, len(owner.ops)):
            op = owner.ops[user]
            if op[0] == BUILD and any(held == value for _, held in op[1]):
                yield owner.names.get(user, "").rpartition(".")[2]
            base, held = _addition(op)
            if held == value:
                field = self._root(function, self._outermost(function, base))
                known = field[2] if field[0] == ATTR else field[1] if field[0] == NAME else owner.names.get(base, "")
                yield str(known)

    def definitions(self, function: int) -> Iterator[Where]:
        """The values of the function around, and of modules that import it, that are the function itself."""
        owner = self.program.functions[function]
        if owner.owner < 0 or owner.class_index >= 0:
            return
        home = self.program.function_id(function, owner.owner)
        held = self.program.functions[home].variables.get(owner.name, ())
        if not held:
            local = function - self.program.first_function[self.program.module_of[function]]
            ops = enumerate(self.program.functions[home].ops)
            held = tuple(value for value, op in ops if op[:2] == (FUNC, local))
        yield from ((home, value) for value in held)
        yield from self._imported.get(owner.name, ())

    @cached_property
    def _imported(self) -> dict[str, list[Where]]:
        found: dict[str, list[Where]] = {}
        for body in self.program.first_function:
            owner = self.program.functions[body]
            for value in (values[0] for values in owner.variables.values()):
                if owner.ops[value][0] == IMPORT and owner.ops[value][2]:
                    found.setdefault(owner.ops[value][2], []).append((body, value))
        return found

    # -- decorators ------------------------------------------------------------------------------------------

    def wrappers(self, function: int) -> tuple[int, ...]:
        """The linted functions that stand in for a decorated one."""
        return tuple(self._decorators.made.get(function, ()))

    def wearers(self, decorator: int) -> tuple[int, ...]:
        """The functions that wear a decorator, or what it makes: each of them is its first argument."""
        found = self._decorators.wearers.get(decorator, ())
        return tuple(found) if len(found) <= _MAX_WEARERS else ()

    def worn(self, function: int) -> tuple[int, ...]:
        """The decorators that a function wears, and what they make, each of which gets it as its first argument."""
        return tuple(decorator for decorator in self._decorators.worn.get(function, ()) if self.wearers(decorator))

    @cached_property
    def _decorators(self) -> _Decorators:
        found = _Decorators({}, {}, {})
        for function, owner in enumerate(self.program.functions):
            for text in owner.decorators:
                ref = self.program.look_up(self.program.module_of[function], text)
                if ref is not None and ref.kind == "function" and isinstance(ref.target, int):
                    made = self._made_by(ref.target, depth=0)
                    if made:
                        found.made.setdefault(function, []).extend(made)
                    gets = [held for held in (ref.target, *made) if self._gets_one(held)]
                    for decorator in gets if owner.class_index < 0 else ():
                        found.wearers.setdefault(decorator, []).append(function)
                        found.worn.setdefault(function, []).append(decorator)
        return found

    def _gets_one(self, decorator: int) -> bool:
        parameters = self.program.functions[decorator].parameters
        return bool(parameters) and not parameters[0].kind

    @cached_property
    def decorated(self) -> dict[int, tuple[int, ...]]:
        """For each such stand-in, the functions that it stands in for."""
        found: dict[int, list[int]] = {}
        for function, wrappers in self._decorators.made.items():
            for wrapper in wrappers:
                found.setdefault(wrapper, []).append(function)
        return {wrapper: tuple(functions) for wrapper, functions in found.items()}

    def wrapped(self, function: int, callee: int) -> tuple[int, ...] | None:
        """The functions that a stand-in calls under the name of its decorator's parameter; None for other callees."""
        inside = function
        while inside not in self.decorated:
            owner = self.program.functions[inside].owner
            if owner < 0:
                return None
            inside = self.program.function_id(inside, owner)
        op = self._root(function, callee)
        if op[0] != CAPTURE:
            return None
        owner = self.program.function_id(function, op[2])
        held = self.program.functions[owner].variables.get(op[1], ())
        if not held or self.program.op(owner, held[0])[:2] != (PARAM, 0):
            return None
        functions = self.decorated[inside]
        return functions if len(functions) <= _MAX_DECORATED else ()

    def _made_by(self, decorator: int, *, depth: int) -> tuple[int, ...]:
        """What a decorator (or what makes one) returns in the end: the innermost function of its own."""
        found: list[int] = []
        for value in self.program.functions[decorator].returns:
            for ref in self.values.refs(decorator, value):
                if ref.kind == "function" and isinstance(ref.target, int) and self._is_inside(ref.target, decorator):
                    inner = self._made_by(ref.target, depth=depth + 1) if depth < 2 else ()
                    found.extend(inner or (ref.target,))
        return tuple(dict.fromkeys(found))

    def _is_inside(self, function: int, owner: int) -> bool:
        local = self.program.functions[function].owner
        return local >= 0 and self.program.function_id(function, local) == owner

    @cached_property
    def setters(self) -> dict[str, dict[int, int]]:
        """The functions that take assignments to properties, by name and class."""
        found: dict[str, dict[int, int]] = {}
        for function, owner in enumerate(self.program.functions):
            if owner.class_index >= 0 and owner.decorators and f"{owner.name}.setter" in owner.decorators:
                found.setdefault(owner.name, {})[self.program.class_of(function)] = function
        return found


def _addition(op: Op) -> tuple[int, int]:
    """The collection that an operation adds to, and what it adds: -1 for no such operation."""
    if op[0] == SET_ITEM:
        return op[1], op[3]
    if op[0] == CALL and op[3] in _ADDING and op[4]:
        return op[2], op[4][-1]
    return -1, -1
