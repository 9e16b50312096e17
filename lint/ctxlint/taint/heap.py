"""Carriers outside of functions: fields of classes, module variables, captured variables, keys of a state.

    self.buffer = summary       kept in ("field", Memory, "buffer")     read by every `self.buffer` of a related class
    global LAST; LAST = s       kept in ("global", module, "LAST")      read by every `LAST` of the module
    return {"summary": s}       kept in ("state", module, "summary")    read by `state["summary"]` in its graph nodes

A field counts for the whole class only when it is component state, that is when methods of the class read it. What
message and document classes hold flows with the object instead (`ctxlint.taint.facts`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ctxlint.ir.ops import (
    ATTR,
    CALL,
    CAPTURE,
    CLASS,
    CONST,
    EXIT,
    FILTER,
    FUNC,
    IMPORT,
    LOOP,
    OUT,
    PARAM,
    PHI,
    SET_ATTR,
    SET_ITEM,
)
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.names import words_of
from ctxlint.taint.selves import has_self
from ctxlint.taint.shapes import Shapes
from ctxlint.taint.unset import found_empty
from ctxlint.taint.wholes import Wholes

_SAME_OBJECT = frozenset({LOOP, OUT, FILTER, SET_ATTR, PHI, EXIT})
_SETS = frozenset({SET_ATTR, SET_ITEM})
_SAME_STATE = _SAME_OBJECT | _SETS


class Cell(NamedTuple):
    """A carrier: its kind, the class, module or function that owns it, its name."""

    kind: str
    owner: int
    name: str


class Heap:
    """Finds the cells that assignments write and the reads that see a cell."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self.program = graph.program
        self.shapes = Shapes(graph)
        self._helpers: dict[Cell, dict[int, None]] = {}
        self._state: dict[tuple[int, str], bool] = {}
        self._fields: dict[tuple[int, int, str], tuple[Cell, ...]] = {}
        self._captures: dict[int, dict[tuple[int, str], list[tuple[int, int]]]] = {}
        self._nodes: dict[int, bool] = {}
        self._selves: dict[tuple[int, int], bool] = {}
        self._wholes = Wholes(graph)
        self._readers: dict[Cell, tuple[tuple[int, int], ...]] = {}

    def fields(self, function: int, base: int, name: str) -> tuple[Cell, ...]:
        """The cells behind `base.name`."""
        key = (function, base, name)
        known = self._fields.get(key)
        if known is None:
            known = self._fields[key] = tuple(self._find_fields(function, base, name))
        return known

    def _find_fields(self, function: int, base: int, name: str) -> Iterator[Cell]:
        own = self.is_self(function, base) and not self.is_value_method(function)
        for ref in self.graph.values.refs(function, base):
            if ref.kind == "class" and isinstance(ref.target, int):
                yield Cell("field", ref.target, name)
        for kind in self.graph.values.types(function, base):
            if isinstance(kind.target, int) and (own or self.is_state(kind.target, name)):
                yield Cell("field", kind.target, name)

    def is_constant(self, function: int, base: int, name: str) -> bool:
        """`base` is a class that holds a plain constant under the name, such as the member of an enumeration."""
        for ref in self.graph.values.refs(function, base):
            if ref.kind == "class" and isinstance(ref.target, int):
                kind = self.program.classes[ref.target]
                value = kind.attributes.get(name)
                owner = self.program.first_function[self.program.module_of_class[ref.target]] + kind.owner
                return value is not None and self.program.op(owner, value)[0] == CONST
        return False

    def is_name_of_code(self, function: int, name: str) -> bool:
        """A module-level name is bound by an import of a module, or by a definition: nothing is kept in it."""
        body = self.program.functions[self.program.first_function[self.program.module_of[function]]]
        ops = [body.ops[value] for value in body.variables.get(name, ())]
        return bool(ops) and all(op[0] in {FUNC, CLASS} or (op[0] == IMPORT and not op[2]) for op in ops)

    def is_value_method(self, function: int) -> bool:
        """The function is a method of objects that are handed around: what it changes is seen where it is called."""
        kind = self.program.class_of(function)
        return kind >= 0 and self.shapes.is_value(kind)

    def is_self(self, function: int, base: int) -> bool:
        """The value is the object whose method this is (or encloses this)."""
        known = self._selves.get((function, base))
        if known is None:
            known = self._selves[function, base] = self._find_self(function, base)
        return known

    def _find_self(self, function: int, base: int) -> bool:
        op = self.program.op(function, base)
        # The object stays the same where a test or a join stands in between: the first way in tells which it is.
        while op[0] in _SAME_OBJECT and op[1]:
            base = op[1][0] if op[0] in {PHI, EXIT} else op[1]
            op = self.program.op(function, base)
        if op[0] == CAPTURE:
            owner = self.program.function_id(function, op[2])
            return any(
                self.is_self(owner, value) for value in self.program.functions[owner].variables.get(op[1], ())[:1]
            )
        return op[:2] == (PARAM, 0) and has_self(self.program.functions[function])

    def is_state(self, kind: int, name: str) -> bool:
        """A field of a component that its methods read or change, or one whose name speaks of summaries."""
        known = self._state.get((kind, name))
        if known is None:
            family = (*self.program.ancestors(kind), *self.program.descendants(kind))
            known = (
                self.distinctive(name)
                or self._is_single(kind)
                or (
                    (self.shapes.changes(kind, name) or any(self._reads(other, name) for other in family))
                    and self.shapes.keeps(kind, name)
                )
            )
            self._state[kind, name] = known
        return known

    def _is_single(self, kind: int) -> bool:
        """A class with one object, which its `__new__` keeps in a class attribute and gives again and again."""
        known = self.program.classes[kind]
        return "__new__" in known.methods and any("instance" in name for name in known.attributes)

    def _reads(self, kind: int, name: str) -> bool:
        index = self.program.module_of_class[kind]
        first = self.program.first_function[index]
        for local, read in self.program.modules[index].attributes.get(name, ()):
            function = first + local
            own = self.program.class_of(function) == kind and not self.program.functions[function].name.startswith(
                "__"
            )
            if own and self.is_self(function, self.program.op(function, read)[1]):
                return True
        return False

    def readers(self, cell: Cell) -> tuple[tuple[int, int], ...]:
        """The values that hold what the cell holds."""
        known = self._readers.get(cell)
        if known is None:
            find = {
                "helper": self._helpers_of,
                "field": self._field,
                "global": self._global,
                "captured": self._captured,
                "state": self._keys,
            }
            known = self._readers[cell] = tuple(dict.fromkeys(find[cell.kind](cell)))
        return known

    def holders(self, cell: Cell, *, inside: bool) -> Iterator[tuple[int, int]]:
        """Who has the field without reading it; `inside` when the text is in a field of what the field holds."""
        yield from self.wholes(cell)
        yield from self.called(cell) if inside else ()

    def called(self, cell: Cell) -> Iterator[tuple[int, int]]:
        """The objects whose field is called: `self.writer(prompt)` reads `self.writer`, which is no value then."""
        for function, call in self.program.places("calls", cell.name) if cell.kind == "field" else ():
            base = self.program.op(function, call)[2]
            if base >= 0 and self.program.method(cell.owner, cell.name) < 0:
                owners = [other.owner for other in self.fields(function, base, cell.name)]
                if any(self._sees(function, base, owner, cell.owner) for owner in owners):
                    yield function, base

    def wholes(self, cell: Cell) -> Iterator[tuple[int, int]]:
        """The objects that are read without the name of the field: `asdict(node)`."""
        for function, base in self._wholes.of(cell.owner) if cell.kind == "field" else ():
            owners = [other.owner for other in self.fields(function, base, cell.name)]
            if any(self._sees(function, base, owner, cell.owner) for owner in owners):
                yield function, base

    def helper(self, function: int, value: int, name: str) -> Cell:
        """The carrier that an object is which remembers what it was asked."""
        cell = Cell("helper", function, name or f"<{value}>")
        self._helpers.setdefault(cell, {})[value] = None
        return cell

    def _helpers_of(self, cell: Cell) -> Iterator[tuple[int, int]]:
        yield from ((cell.owner, value) for value in self._helpers.get(cell, ()))

    def _field(self, cell: Cell) -> Iterator[tuple[int, int]]:
        for index, module in enumerate(self.program.modules):
            for local, read in module.attributes.get(cell.name, ()):
                function = self.program.first_function[index] + local
                base = self.program.op(function, read)[1]
                if cell.name in found_empty(self.program, function, base):
                    continue
                for other in self.fields(function, base, cell.name):
                    if self._sees(function, base, other.owner, cell.owner):
                        yield function, read
                        break

    def _sees(self, function: int, base: int, reader: int, writer: int) -> bool:
        """A read on a `reader` may see what a `writer` keeps. A declared base stands for the subclasses near by."""
        if writer in self.program.ancestors(reader):
            return True
        if reader not in self.program.ancestors(writer):
            return False
        home = self.program.modules[self.program.module_of_class[writer]].path.rpartition("/")[0]
        return self.is_self(function, base) or self.program.path_of(function).rpartition("/")[0] == home

    def _global(self, cell: Cell) -> Iterator[tuple[int, int]]:
        for index, module in enumerate(self.program.modules):
            names = [cell.name] if index == cell.owner else list(self._imports(index, cell))
            for name in names:
                for local, read in module.globals_read.get(name, ()):
                    yield self.program.first_function[index] + local, read

    def _imports(self, index: int, cell: Cell) -> Iterator[str]:
        body = self.program.functions[self.program.first_function[index]]
        for name, values in body.variables.items():
            op = body.ops[values[0]]
            if op[0] == IMPORT and op[2] == cell.name and self.program.find_module(index, op[1])[0] == cell.owner:
                yield name

    def _captured(self, cell: Cell) -> Iterator[tuple[int, int]]:
        module = self.program.module_of[cell.owner]
        captures = self._captures.get(module)
        if captures is None:
            captures = self._captures[module] = self._find_captures(module)
        yield from captures.get((cell.owner, cell.name), ())

    def _find_captures(self, module: int) -> dict[tuple[int, str], list[tuple[int, int]]]:
        """Where the functions of a module read variables of those around them."""
        found: dict[tuple[int, str], list[tuple[int, int]]] = {}
        first = self.program.first_function[module]
        for local, function in enumerate(self.program.modules[module].functions):
            for value, op in enumerate(function.ops) if function.owner >= 0 else ():
                if op[0] == CAPTURE:
                    found.setdefault((first + op[2], op[1]), []).append((first + local, value))
        return found

    def own_values(self, cell: Cell) -> Iterator[tuple[int, int]]:
        """The values that a captured variable takes in its own function."""
        for value in self.program.functions[cell.owner].variables.get(cell.name, ()):
            yield cell.owner, value

    # -- states of graphs ------------------------------------------------------------------------------------

    def is_node(self, function: int) -> bool:
        """The function is a node of a state graph: it gets a state first, and returns what changes in it."""
        known = self._nodes.get(function)
        if known is None:
            known = self._nodes[function] = self._find_node(function)
        return known

    def _find_node(self, function: int) -> bool:
        owner = self.program.functions[function]
        flow = self.graph.models.flow
        index = 1 if owner.class_index >= 0 and "staticmethod" not in owner.decorators else 0
        if len(owner.parameters) <= index:
            return False
        parameter = owner.parameters[index]
        kinds = {word.rpartition(".")[2] for word in parameter.annotation.split()}
        if parameter.name in flow.state_names or any(
            kind in flow.state_bases or kind.endswith("State") for kind in kinds
        ):
            return True
        if any(self._extends_state(function, word) for word in parameter.annotation.split()):
            return True
        return any(
            self.graph.name(caller, call) in flow.state_registers for caller, call in self._registered(function)
        )

    def _extends_state(self, function: int, name: str) -> bool:
        ref = self.program.look_up(self.program.module_of[function], name)
        if ref is None or ref.kind != "class" or not isinstance(ref.target, int):
            return False
        bases = [base for kind in self.program.ancestors(ref.target) for base in self.program.classes[kind].bases]
        return any(base.rpartition(".")[2] in self.graph.models.flow.state_bases for base in bases)

    def _registered(self, function: int) -> Iterator[tuple[int, int]]:
        name = self.program.functions[function].name
        index = self.program.module_of[function]
        first = self.program.first_function[index]
        for known in (name, f"<{function - first}>"):
            for local, call in self.program.modules[index].mentions.get(known, ()):
                yield first + local, call

    def _keys(self, cell: Cell) -> Iterator[tuple[int, int]]:
        module = self.program.modules[cell.owner]
        first = self.program.first_function[cell.owner]
        places = [*module.keys.get(cell.name, ()), *module.attributes.get(cell.name, ())]
        for local, read in sorted(places):
            function = first + local
            op = self.program.op(function, read)
            base = op[2] if op[0] == CALL else op[1]
            held = self._is_state_value(function, base, cell.name) and self.is_node(function)
            if held or self._is_state_of(function, base):
                yield function, read

    def _is_state_value(self, function: int, value: int, name: str) -> bool:
        """The value is the state that the function gets, which may have something under the name here."""
        op = self.program.op(function, value)
        while op[0] in _SAME_STATE and op[1]:
            absent = op[0] == FILTER and any(c.kind == "has" and not c.wanted and c.key == name for c in op[2])
            if absent or (op[0] in _SETS and op[2] == name):
                return False
            op = self.program.op(function, op[1][0] if op[0] in {PHI, EXIT} else op[1])
        owner = self.program.functions[function]
        index = 1 if owner.class_index >= 0 and "staticmethod" not in owner.decorators else 0
        return op[:2] == (PARAM, index)

    def _is_state_of(self, function: int, value: int) -> bool:
        """`request.state`: the state of the graph, below something that the function is called with."""
        op = self.program.op(function, value)
        if op[0] != ATTR or op[2] not in self.graph.models.flow.state_names:
            return False
        base = op[1]
        while self.program.op(function, base)[0] in {LOOP, OUT, FILTER}:
            base = self.program.op(function, base)[1]
        return self.program.op(function, base)[0] == PARAM and not self.is_self(function, base)

    def distinctive(self, name: str) -> bool:
        """A name that speaks of summaries."""
        return bool(words_of(name) & self.graph.models.words.around)
