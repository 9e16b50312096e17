"""What a value is: the function or class it leads to, the class it is an instance of, the fields it was given.

    self.summarizer = Summarizer(llm)      fields(Memory, "summarizer") -> the call; types -> Summarizer, constructed
    def save(self, store: Store): ...      types(store) -> Store, declared
    task = partial(self.fold, text)        refs(task) -> Memory.fold, bound

Questions are answered on demand and remembered; a question that leads back to itself has no answer. The values that
are one object are gathered before anything is asked about them: in a loop within a loop, what a variable is in the
inner round leads back to what it is in the outer one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TypeVar

from ctxlint.ir.ops import (
    ATTR,
    CALL,
    CAPTURE,
    CLASS,
    ELEMENT,
    FILTER,
    FUNC,
    IMPORT,
    ITEM,
    NAME,
    OUT,
    PARAM,
    Op,
)
from ctxlint.taint.declared import Declared, Kind
from ctxlint.taint.elements import Elements
from ctxlint.taint.fields import Fields
from ctxlint.taint.objects import behind, sources
from ctxlint.taint.program import Program, Ref
from ctxlint.taint.registries import classes_in
from ctxlint.taint.selves import is_put_back

_COPIES = frozenset({"copy", "deepcopy", "replace", "model_copy"})
"""What they give is of the class of what they get."""
_KEEPS = frozenset(
    {"bind", "bind_tools", "with_config", "with_fallbacks", "with_options", "with_retry", "with_structured_output"}
)
"""The same of an object of another library: `ChatOpenAI().with_structured_output(Answer)`."""
_CAST = 2
_MAX_PLACES = 8
_MAX_PASSED = 2
_TOLD = frozenset({FILTER, OUT})
_Answer = TypeVar("_Answer")


class Values:
    """Answers about the values of a program."""

    def __init__(
        self, program: Program, tools: frozenset[str] = frozenset(), *, makers: frozenset[str] = frozenset()
    ) -> None:
        self.program = program
        self._makers = makers
        self._made_of = frozenset(maker.rpartition(".")[2] for maker in makers)
        self._finders: dict[int, Callable[[int, Op], Iterator[Ref]]] = {
            NAME: self._name_refs,
            IMPORT: self._import_refs,
            FUNC: self._function_refs,
            CLASS: self._class_refs,
            ATTR: self._read_refs,
            CALL: self._partial_refs,
            CAPTURE: self._captured_refs,
            PARAM: self._parameter_refs,
            ITEM: self._generic_refs,
        }
        self._refs: dict[tuple[int, int], tuple[Ref, ...]] = {}
        self._types: dict[tuple[int, int], tuple[Kind, ...]] = {}
        self._element_kinds: dict[tuple[int, int], tuple[Kind, ...]] = {}
        self._declared = Declared(program, self.refs)
        self._elements = Elements(self, self._declared)
        self._fields = Fields(self, tools)
        self._same: dict[tuple[int, int], tuple[int, ...]] = {}

    def same(self, function: int, value: int) -> tuple[int, ...]:
        """The values that a value is the same object as, itself first."""
        known = self._same.get((function, value))
        if known is None:
            ops = self.program.functions[function].ops
            found = {value: None}
            pending = list(sources(ops[value]))[::-1]
            while pending:
                other = pending.pop()
                if other not in found:
                    found[other] = None
                    pending.extend(sources(ops[other])[::-1])
            known = self._same[function, value] = tuple(found)
        return known

    def refs(self, function: int, value: int) -> tuple[Ref, ...]:
        """The functions, classes, modules or outside names that a value leads to."""
        return self._once(self._refs, function, self._behind(function, value), self._find_refs)

    def types(self, function: int, value: int) -> tuple[Kind, ...]:
        """The classes of which a value may be an instance."""
        known = self._once(self._types, function, self._behind(function, value), self._find_types)
        return self._narrowed(function, value, known) if self.program.op(function, value)[0] in _TOLD else known

    def _narrowed(self, function: int, value: int, known: tuple[Kind, ...]) -> tuple[Kind, ...]:
        """`isinstance(event, Recap)` tells more than that an event is an Event."""
        ops = self.program.functions[function].ops
        op = ops[value]
        while op[0] in _TOLD:
            for condition in op[2] if op[0] == FILTER else ():
                if condition.kind == "type" and condition.wanted and not condition.key:
                    named = [self.program.look_up(self.program.module_of[function], str(n)) for n in condition.values]
                    told = [ref.target for ref in named if ref is not None and ref.kind == "class"]
                    below = tuple(kind for kind in known if self._extends(kind, told))
                    return below or tuple(Kind(kind, declared=True) for kind in told) or known
            op = ops[op[1]]
        return known

    def _extends(self, kind: Kind, classes: list[int | str]) -> bool:
        return isinstance(kind.target, int) and any(other in self.program.ancestors(kind.target) for other in classes)

    def _behind(self, function: int, value: int) -> int:
        return behind(self.program.functions[function].ops, value)

    @staticmethod
    def _once(
        memory: dict[tuple[int, int], tuple[_Answer, ...]],
        function: int,
        value: int,
        find: Callable[[int, int], Iterator[_Answer]],
    ) -> tuple[_Answer, ...]:
        key = (function, value)
        known = memory.get(key)
        if known is None:
            memory[key] = ()
            known = memory[key] = tuple(dict.fromkeys(find(function, value)))
        return known

    # -- refs ------------------------------------------------------------------------------------------------

    def _find_refs(self, function: int, value: int) -> Iterator[Ref]:
        ops = self.program.functions[function].ops
        for same in self.same(function, value):
            find = self._finders.get(ops[same][0])
            if find is not None:
                yield from find(function, ops[same])

    def _name_refs(self, function: int, op: Op) -> Iterator[Ref]:
        yield from self.global_refs(self.program.module_of[function], op[1])

    def _import_refs(self, function: int, op: Op) -> Iterator[Ref]:
        ref = self.program.imported(self.program.module_of[function], op[1], op[2])
        if ref is not None:
            yield ref

    def _function_refs(self, function: int, op: Op) -> Iterator[Ref]:
        yield Ref("function", self.program.function_id(function, op[1]))

    def _class_refs(self, function: int, op: Op) -> Iterator[Ref]:
        yield Ref("class", self.program.class_id(function, op[1]))

    def _generic_refs(self, function: int, op: Op) -> Iterator[Ref]:
        """`Box[str](...)` makes a Box, and `KINDS["box"](...)` does as well."""
        generic = [ref for ref in self.refs(function, op[1]) if ref.kind == "class"]
        yield from generic or classes_in(self, function, op[1], op[2])

    def _captured_refs(self, function: int, op: Op) -> Iterator[Ref]:
        owner = self.program.function_id(function, op[2])
        for held in self.program.functions[owner].variables.get(op[1], ()):
            yield from self.refs(owner, held)

    def global_refs(self, module: int, name: str) -> Iterator[Ref]:
        """What a name at the top level of a module leads to, through the values of its variables."""
        ref = self.program.look_up(module, name)
        if ref is not None:
            yield ref
            return
        held = self.program.global_value(module, name)
        if held is not None:
            yield from self.refs(*held)

    def _parameter_refs(self, function: int, op: Op) -> Iterator[Ref]:
        index = op[1]
        owner = self.program.functions[function]
        if index == 0 and "classmethod" in owner.decorators:
            yield Ref("class", self.program.class_of(function))
        default = owner.parameters[index].default
        if default and owner.owner >= 0:
            yield from self.refs(self.program.function_id(function, owner.owner), default)

    def _read_refs(self, function: int, op: Op) -> Iterator[Ref]:
        yield from self._attribute_refs(function, op[1], op[2])

    def _attribute_refs(self, function: int, base: int, name: str) -> Iterator[Ref]:
        for ref in self.refs(function, base):
            inner = self.program.attribute(ref, name)
            if inner is not None:
                yield inner
            elif ref.kind == "module" and isinstance(ref.target, int):
                yield from self.global_refs(ref.target, name)
        for kind in self.types(function, base):
            if not isinstance(kind.target, int):
                continue
            method = self.program.method(kind.target, name)
            if method >= 0:
                yield Ref("function", method, bound=True)
            else:
                for holder, held in self.fields(kind.target, name):
                    if not is_put_back(self.program.functions[holder], held, name):
                        yield from self.refs(holder, held)

    def _partial_refs(self, function: int, op: Op) -> Iterator[Ref]:
        callee = self.callee_names(function, op)
        if op[4] and any(name.endswith(("partial", "wraps")) for name in callee):
            for ref in self.refs(function, op[4][0]):
                yield ref._replace(given=ref.given + len(op[4]) - 1)

        yield from self._returned_refs(function, op)
        if op[3] == "get" and op[2] >= 0:
            yield from classes_in(self, function, op[2], None)

    def _returned_refs(self, function: int, op: Op) -> Iterator[Ref]:
        """`wrapped = stamped(inner)`: the function of its own that stamped() returns."""
        for ref in self.callees(function, op):
            if ref.kind == "function" and isinstance(ref.target, int):
                owner = self.program.functions[ref.target]
                for value in owner.returns:
                    for same in self.same(ref.target, value):
                        if owner.ops[same][0] == FUNC:
                            yield from self._function_refs(ref.target, owner.ops[same])

    def callee_names(self, function: int, op: Op) -> tuple[str, ...]:
        """The dotted outside names that a call may call."""
        if op[1] >= 0:
            return tuple(str(ref.target) for ref in self.refs(function, op[1]) if ref.kind == "external")
        return tuple(f"{ref.target}.{op[3]}" for ref in self.refs(function, op[2]) if ref.kind == "external")

    # -- types -----------------------------------------------------------------------------------------------

    def _find_types(self, function: int, value: int) -> Iterator[Kind]:
        owner = self.program.functions[function]
        made: list[Kind] = []
        told: list[Kind] = []
        for same in self.same(function, value):
            made.extend(self._own_types(function, owner.ops[same]))
            if same in owner.hints:
                told.extend(self.annotated(self.program.module_of[function], owner.hints[same]))
        # What is annotated says more than what a base or an outside function gives.
        yield from told if not any(isinstance(kind.target, int) and not kind.declared for kind in made) else ()
        yield from made

    def _own_types(self, function: int, op: Op) -> Iterator[Kind]:
        program = self.program
        kind = op[0]
        if kind == PARAM:
            yield from self._parameter_types(function, op[1])
        elif kind == CALL:
            yield from self._call_types(function, op)
        elif kind == ATTR:
            yield from self._attribute_types(function, op[1], op[2])
        elif kind == ELEMENT or (kind == ITEM and not isinstance(op[2], str)):
            yield from self.elements(function, op[1])
        elif kind == NAME:
            held = program.global_value(program.module_of[function], op[1])
            if held is not None:
                yield from self.types(*held)
        elif kind == CAPTURE:
            owner = program.function_id(function, int(op[2]))
            for held_value in program.functions[owner].variables.get(op[1], ()):
                yield from self.types(owner, held_value)

    def _parameter_types(self, function: int, index: int) -> Iterator[Kind]:
        owner = self.program.functions[function]
        kind = self.program.class_of(function)
        if index == 0 and kind >= 0 and not {"staticmethod", "classmethod"} & set(owner.decorators):
            yield Kind(kind)
            return
        parameter = owner.parameters[index]
        if parameter.annotation:
            yield from self.annotated(self.program.module_of[function], parameter.annotation)
        elif kind < 0 and owner.owner >= 0 and not parameter.kind:
            yield from self._passed_types(function, index)

    def _passed_types(self, function: int, index: int) -> tuple[Kind, ...]:
        """What the few calls by name pass to a function that does not say what it gets: `fold(self.desk)`."""
        program = self.program
        name = program.functions[function].parameters[index].name
        found: dict[Kind, None] = {}
        places = program.places("calls", program.functions[function].name)
        for caller, call in places if len(places) <= _MAX_PLACES else ():
            op = program.op(caller, call)
            if op[1] < 0 or not any(ref.target == function for ref in self.refs(caller, op[1])):
                continue
            given = op[4][index] if index < len(op[4]) else next((held for key, held in op[5] if key == name), -1)
            for known in self.types(caller, given) if given >= 0 else ():
                if isinstance(known.target, int):
                    found[known] = None
        return tuple(found) if len({known.target for known in found}) <= _MAX_PASSED else ()

    def annotated(self, module: int, text: str) -> Iterator[Kind]:
        """The class that an annotation names first; of a union with plain values, the class."""
        yield from self._declared.kinds(module, text)

    def elements(self, function: int, value: int) -> tuple[Kind, ...]:
        """The classes of what a collection holds, as far as annotations and what was put in it tell."""
        return self._once(self._element_kinds, function, self._behind(function, value), self._elements.find)

    def _call_types(self, function: int, op: Op) -> Iterator[Kind]:
        for ref in self.callees(function, op):
            if ref.kind == "class":
                yield Kind(ref.target)
            elif ref.kind == "external":
                last = str(ref.target).rpartition(".")[2]
                if last in {"Field", "field"}:
                    yield from self._factory_types(function, op)
                elif last in _COPIES and op[4]:
                    yield from self.types(function, op[4][0])
                elif last == "cast" and len(op[4]) == _CAST:
                    yield from self.types(function, op[4][1])
                    yield from (Kind(named.target, declared=True) for named in self.refs(function, op[4][0]))
                else:
                    yield from self._made(str(ref.target), last)
            elif isinstance(ref.target, int):
                yield from self._result_types(ref.target)
        if op[3] in _COPIES and op[2] >= 0 and not any(True for _ in self.callees(function, op)):
            yield from self.types(function, op[2])
        elif op[2] >= 0 and (op[3] in _KEEPS or op[3] in self._made_of):
            yield from self._outside_types(function, op)

    def _made(self, outside: str, last: str) -> Iterator[Kind]:
        """`boto3.client(name)`, `Llama(path)`, `Llama.from_pretrained(name)`."""
        holder = outside.rpartition(".")[0]
        if last[:1].isupper() or f"{outside.partition('.')[0]}.{last}" in self._makers:
            yield Kind(outside)
        elif last.startswith("from_") and holder.rpartition(".")[2][:1].isupper():
            yield Kind(holder)

    def _outside_types(self, function: int, op: Op) -> Iterator[Kind]:
        """What the method of an object of another library gives: `boto3.Session().client("bedrock-runtime")`."""
        for kind in self.types(function, op[2]):
            if isinstance(kind.target, str):
                made = f"{kind.target.partition('.')[0]}.{op[3]}"
                if op[3] in _KEEPS or made in self._makers:
                    yield kind if op[3] in _KEEPS else Kind(made)

    def _factory_types(self, function: int, op: Op) -> Iterator[Kind]:
        """`field(default_factory=Store)`: the field holds a Store."""
        for name, factory in op[5]:
            for made in self.refs(function, factory) if name == "default_factory" else ():
                if made.kind == "class":
                    yield Kind(made.target)

    def _result_types(self, function: int) -> Iterator[Kind]:
        owner = self.program.functions[function]
        if owner.annotation in {"Self", "typing.Self"}:
            yield Kind(self.program.class_of(function))
        made: list[Kind] = []
        for value in owner.returns:
            made.extend(self.types(function, value))
        declared = tuple(self.annotated(self.program.module_of[function], owner.annotation))
        if not made or not any(isinstance(kind.target, int) for kind in made):
            yield from declared
        yield from made

    def callees(self, function: int, op: Op) -> Iterator[Ref]:
        """What a call calls, as far as names and classes tell, without overrides."""
        if op[1] >= 0:
            yield from self.refs(function, op[1])
            return
        yield from self._attribute_refs(function, op[2], op[3])

    def _attribute_types(self, function: int, base: int, name: str) -> Iterator[Kind]:
        for kind in self.types(function, base):
            if isinstance(kind.target, int):
                yield from self.field_types(kind.target, name)
        for ref in self.refs(function, base):
            if ref.kind == "module" and isinstance(ref.target, int):
                held = self.program.global_value(ref.target, name)
                if held is not None:
                    yield from self.types(*held)

    def field_types(self, kind: int, name: str) -> Iterator[Kind]:
        """The classes of what a field holds: constructed ones first."""
        return self._fields.types(kind, name)

    def fields(self, kind: int, name: str, *, below: bool = True) -> Iterator[tuple[int, int]]:
        """The values that are assigned to a field in the class, its bases and, `below`, its subclasses."""
        return self._fields.of(kind, name, below=below)

    def is_given(self, place: tuple[int, int]) -> bool:
        """A value of a field was passed by who made the object, and is no value that the class sets by itself."""
        return place in self._fields.given

    def names(self, kind: int) -> list[str]:
        """The fields that a class, and nothing above or below it, assigns."""
        return self._fields.names(kind)

    def result_types(self, function: int) -> Iterator[Kind]:
        """The classes of what a function gives back."""
        return self._result_types(function)
