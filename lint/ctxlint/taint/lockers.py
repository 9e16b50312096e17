"""Own stores by key: what a caller puts away under one constant key does not come out under another.

    def save(self, key, value):             the key is the caller's ...
        self._data[key] = value
    def load(self, key):
        return self._data.get(key)          ... here as well
    run.save("recap", text)                 kept in _data["recap"]
    run.load("diff")                        does not read it; `run.load(name)` may

On its way into `save`, the text carries what the key is. On its way out of `load`, it waits for a caller that asks
for its key, as it does for switches (`ctxlint.taint.switches`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from ctxlint.ir.keys import NAMED
from ctxlint.ir.ops import CALL, FILTER, IN_LIST, ITEM, LOOP, OUT, PARAM, SET_ITEM, Op
from ctxlint.taint.tested import constant

if TYPE_CHECKING:
    from ctxlint.taint.callgraph import CallGraph
    from ctxlint.taint.facts import Fact, Mark
    from ctxlint.taint.target import Target

GIVEN = "$key "
"""What the key of a parameter's name is: `$key 12 name`."""
ASKED = "$is "
"""What the caller has to ask for."""
_SAME = frozenset({FILTER, LOOP, OUT})
_PAIR = "<pair>"
_DEPTH = 2
_STEPS = 3
"""So many calls above a site are told apart by what options they are reached with."""


class Lockers:
    """Finds the parameters of functions that are keys of what they put away."""

    def __init__(self, graph: CallGraph, sites: Iterable[tuple[int, int]]) -> None:
        self._graph = graph
        self._known: dict[int, tuple[str, ...]] = {}
        self._sites = sorted(sites)
        self._lead: set[tuple[int, int]] | None = None

    def given(self, mark: Mark, caller: tuple[int, int], target: Target) -> Mark:
        """The mark of a text in a function that it is passed to: the keys that this call passes stand in it."""
        inner = tuple(pair for pair in mark if not pair[0].startswith(GIVEN)) if mark else mark
        names = self._keys(target.function)
        graph = self._graph
        pairs = [
            (f"{GIVEN}{target.function} {name}", key)
            for name in names
            if (key := _passed(graph, caller, target, name, mark)) is not None
        ]
        return tuple(sorted((*inner, *pairs), key=lambda pair: pair[0])) if pairs else inner

    def _keys(self, function: int, depth: int = 0) -> tuple[str, ...]:
        known = self._known.get(function)
        if known is None:
            owner = self._graph.program.functions[function]
            if len(owner.parameters) < 2:
                return ()
            self._known[function] = ()
            asked = [
                condition.key
                for call, conditions in owner.reached.items()
                if (function, call) in self._leading()
                for condition in conditions
            ]
            known = tuple(dict.fromkeys([*self._find(function, depth), *asked]))
            self._known[function] = known
        return known

    def _leading(self) -> set[tuple[int, int]]:
        """The sites, and the calls that lead to one: no other call matters enough to be told apart."""
        if self._lead is None:
            level = self._sites
            self._lead = set(level)
            for _ in range(_STEPS):
                around = dict.fromkeys(function for function, _ in level)
                level = [
                    place for function in around for place in self._graph.callers(function) if place not in self._lead
                ]
                self._lead.update(level)
        return self._lead

    def _find(self, function: int, depth: int) -> list[str]:
        graph = self._graph
        ops = graph.program.functions[function].ops
        found: list[str] = []
        for value, op in enumerate(ops):
            size = len(op)
            if op[0] == SET_ITEM and size > 4 and (key := _plain(graph, function, op[4]))[0] == PARAM:
                found.append(key[2])
            elif op[0] == CALL and depth < _DEPTH and self._hands_on(ops, op):
                for target in graph.targets(function, value):
                    names = self._keys(target.function, depth + 1)
                    found.extend(
                        ops[held][2]
                        for held, position in (graph.passes(function, value, target) if names else ())
                        if ops[held][0] == PARAM
                        and graph.program.functions[target.function].parameters[position].name in names
                    )
        return found

    @staticmethod
    def _hands_on(ops: tuple[Op, ...], op: Op) -> bool:
        """The call gets a parameter, and something else."""
        values = (*op[4], *(held for _, held in op[5]))
        return len(values) > 1 and any(ops[held][0] == PARAM for held in values)


def still(before: Mark, mark: Mark) -> Mark:
    """The mark of a text that comes back from a call: the keys that it knew before are known again."""
    pairs = tuple(pair for pair in before if pair[0].startswith(GIVEN)) if before else before
    return tuple(sorted((*mark, *pairs), key=lambda pair: pair[0])) if pairs else mark


def asking(graph: CallGraph, fact: Fact, place: tuple[int, int]) -> Mark | None:
    """The mark of a text that is read by a key that is a value, None where the key is known to be another."""
    function = place[0]
    op = _plain(graph, *place)
    head = fact.path[0] if fact.path else ""
    if op[0] != PARAM or not _is_key(head):
        return fact.mark
    given = dict(fact.mark).get(f"{GIVEN}{function} {op[2]}")
    if isinstance(given, str) and _is_key(given):
        return fact.mark if _same(given, head) else None
    name = f"{ASKED}{function} {op[2]}"
    pairs = [pair for pair in fact.mark if pair[0] != name]
    return tuple(sorted((*pairs, (name, head)), key=lambda pair: pair[0]))


def paired(fact: Fact, function: int) -> Mark:
    """The mark of a text that stands beside its key: `for key, value in data.items()`."""
    head = fact.path[0] if fact.path else ""
    if not _is_key(head):
        return fact.mark
    name = f"{GIVEN}{function} {_PAIR}"
    pairs = [pair for pair in fact.mark if pair[0] != name]
    return tuple(sorted((*pairs, (name, head)), key=lambda pair: pair[0]))


def slot(graph: CallGraph, fact: Fact, place: tuple[int, int]) -> str:
    """The field that a text is put in by a key that is a value: the caller's, where the text knows it."""
    function = place[0]
    op = _plain(graph, *place)
    name = op[2] if op[0] == PARAM else _PAIR if op[:1] == (ITEM,) and op[2] == 0 else ""
    given = dict(fact.mark).get(f"{GIVEN}{function} {name}") if name and fact.mark else None
    return given if isinstance(given, str) and _is_key(given) else IN_LIST


def asked(graph: CallGraph, name: str, wanted: str, through: tuple[tuple[int, int], Target]) -> Mark | None:
    """What remains of the key that a text waits for, behind a call: None when the call asks for another."""
    caller, target = through
    function, _ = caller
    for value, position in graph.passes(*caller, target):
        if graph.program.functions[target.function].parameters[position].name != name:
            continue
        op = graph.program.op(function, value)
        if op[0] == PARAM:
            return ((f"{ASKED}{function} {op[2]}", wanted),)
        key = constant(graph.program, function, value)
        return None if isinstance(key, str) and not _same(key, wanted) else ()
    default = _default(graph, target.function, name)
    return None if isinstance(default, str) and not _same(default, wanted) else ()


def _passed(graph: CallGraph, caller: tuple[int, int], target: Target, name: str, mark: Mark) -> object:
    function, call = caller
    for value, position in graph.passes(function, call, target):
        if graph.program.functions[target.function].parameters[position].name == name:
            op = graph.program.op(function, value)
            key = (
                dict(mark).get(f"{GIVEN}{function} {op[2]}")
                if op[0] == PARAM
                else constant(graph.program, function, value)
            )
            return key if isinstance(key, bool | str) else None
    op = graph.program.op(*caller)
    spread = op[0] != CALL or any(keyword in {"*", "**"} for keyword, _ in op[5])
    default = None if spread else _default(graph, target.function, name)
    return default if isinstance(default, bool | str) else None


def _default(graph: CallGraph, function: int, name: str) -> object:
    owner = graph.program.functions[function]
    parameter = next((known for known in owner.parameters if known.name == name), None)
    if parameter is None or not parameter.default or owner.owner < 0:
        return None
    return constant(graph.program, graph.program.function_id(function, owner.owner), parameter.default)


def _plain(graph: CallGraph, function: int, value: int) -> Op:
    """How a key came to be, whatever was tested or asked of it on the way."""
    op = graph.program.op(function, value)
    while op[0] in _SAME and op[1]:
        op = graph.program.op(function, op[1])
    return op


def _is_key(field: str) -> bool:
    return field.lstrip(NAMED).replace(".", "_").isidentifier()


def _same(one: str, other: str) -> bool:
    """A key under its name may be any whose text is known."""
    return one == other or one.startswith(NAMED) != other.startswith(NAMED)
