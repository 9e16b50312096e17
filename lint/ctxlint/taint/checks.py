"""Filters: which tests a value with a mark surely fails.

not m.get("is_summary")     fails for {is_summary: True}
m["role"] in TALK           fails for {role: "summary"}, where TALK is a tuple of other constants
not m.is_recap()            fails for what the method answers yes to
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ctxlint.ir import Condition
from ctxlint.ir.ops import FILTER, IN_LIST, TEST
from ctxlint.ir.switches import GIVEN
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.facts import Mark, Path
from ctxlint.taint.marks import SHOWN, Identity, noted
from ctxlint.taint.switches import wait
from ctxlint.taint.tested import AT, KIND, TEXT, collection, named

_PLAIN = frozenset({"str", "bytes", "int", "float", "bool", "None", "NoneType"})
_ROWS = frozenset({"list", "tuple", "set", "frozenset", "List", "Tuple", "Sequence"})


def passing(
    graph: CallGraph, function: int, conditions: tuple[Condition, ...], mark: Mark, path: Path
) -> Mark | None:
    """The mark behind a filter: None when no value with this mark passes all of the conditions.

    Where a switch lets the value pass all the same, its mark waits for the switch.
    """
    held = dict(mark)
    after = mark
    for condition in conditions:
        needed: tuple[str, bool] | None = None
        if condition.kind == GIVEN:
            needed = (condition.key, condition.wanted)
        elif _fails(graph, function, condition, held, path):
            needed = condition.unless
            if needed is None:
                return None
        waits = wait(after, function, *needed) if needed is not None else after
        if waits is None:
            return None
        after = waits
    return after


def _of_other_shape(condition: Condition, path: Path) -> bool:
    """`isinstance(query, str)`: what holds derived text in one of its fields is no text, nor is it a list."""
    if condition.kind != "type" or not condition.wanted or not path:
        return False
    kinds = {str(value).rpartition(".")[2] for value in condition.values}
    return kinds <= _PLAIN or (kinds <= _PLAIN | _ROWS and path[0].isidentifier())


_OF_TEXTS = frozenset({"prefix", "holds", "type"})
Written = Mapping[str, object]
Check = Callable[[CallGraph, int, Condition, Written], bool]


def _fails(graph: CallGraph, function: int, condition: Condition, mark: Written, path: Path) -> bool:
    """No value with this mark passes. A text that was taken out of its holder shows only itself."""
    if _of_other_shape(condition, path):
        return True
    if path[:1] == (IN_LIST,):
        # What is written next to the text says nothing about the list that it stands in.
        looks = condition.kind == "first"
    else:
        looks = (bool(path) and condition.kind != "first") or condition.kind in _OF_TEXTS
    return looks and _contradicts(graph, function, condition, mark)


def _contradicts(graph: CallGraph, function: int, condition: Condition, mark: Written) -> bool:
    return _CHECKS[condition.kind](graph, function, condition, mark)


def _has(graph: CallGraph, _function: int, condition: Condition, mark: Written) -> bool:
    if condition.key in mark:
        return bool(mark[condition.key]) != condition.wanted
    return _all_refuse(graph, condition.key, mark, wanted=condition.wanted)


def _all_refuse(graph: CallGraph, name: str, mark: Written, *, wanted: bool) -> bool:
    """`m.derived`, `m.is_recap()`: every method of that name says so of a value with this mark."""
    methods = graph.program.methods_named.get(name, ()) if mark else ()
    return bool(methods) and all(refuses(graph, method, mark, wanted=wanted) for method in methods)


def _holds(graph: CallGraph, function: int, condition: Condition, mark: Written) -> bool:
    named_key = condition.values[0] in mark and not condition.wanted
    return named_key or _text_contradicts(graph, function, condition, mark)


def _is(graph: CallGraph, function: int, condition: Condition, mark: Written) -> bool:
    if condition.key not in mark:
        return False
    held = mark[condition.key]
    if isinstance(held, Identity):
        names = noted(graph, held.function, held.value)
        return not condition.wanted and any(str(value).rpartition(".")[2] in names for value in condition.values)
    known = [_resolved(graph, function, value) for value in condition.values]
    return (held in known) != condition.wanted


def _member(graph: CallGraph, function: int, condition: Condition, mark: Written) -> bool:
    held = mark.get(condition.key)
    if isinstance(held, Identity):
        return not condition.wanted and condition.values[0] in noted(graph, held.function, held.value)
    known = collection(graph.program, graph.program.module_of[function], str(condition.values[0]))
    return bool(known) and held is not None and (held in known) != condition.wanted


def _first(graph: CallGraph, function: int, condition: Condition, mark: Written) -> bool:
    """`turns[0].get("is_summary")`: of a list in which the summary stands there."""
    position, *values = condition.values
    if mark.get(AT) != position:
        return False
    inner = Condition("is" if values else "has", condition.key, tuple(values), condition.wanted)
    return _contradicts(graph, function, inner, mark)


def _type(graph: CallGraph, _function: int, condition: Condition, mark: Written) -> bool:
    names = [str(value).rpartition(".")[2] for value in condition.values]
    if TEXT in mark and KIND not in mark:
        return ("str" in names) != condition.wanted
    return KIND in mark and _is_one_of(graph, mark[KIND], names) != condition.wanted


def _text_contradicts(graph: CallGraph, function: int, condition: Condition, mark: Written) -> bool:
    shown = [text for text in (mark.get(TEXT), mark.get(condition.key)) if isinstance(text, str)]
    if not shown or condition.wanted:
        return False
    expected = [_resolved(graph, function, value) for value in condition.values]
    return any(
        isinstance(text, str) and text and known.startswith(text[:SHOWN]) for text in expected for known in shown
    )


def _resolved(graph: CallGraph, function: int, value: object) -> object:
    return named(graph.program, graph.program.module_of[function], value)


def _is_one_of(graph: CallGraph, kind: object, names: list[str]) -> bool:
    """The class, or a linted one that it extends, has one of the names."""
    program = graph.program
    found = program.classes_named.get(kind, [])
    bases = {program.classes[base].name for index in found[:1] for base in program.ancestors(index)}
    return kind in names or not bases.isdisjoint(names)


def _predicate(graph: CallGraph, function: int, condition: Condition, mark: Written) -> bool:
    """`is_summary(m)`: the body of the predicate says what it tests."""
    call = condition.values[0]
    if not isinstance(call, int):
        return False
    targets = graph.targets(function, call)
    if not targets and condition.key:
        return _all_refuse(graph, condition.key, mark, wanted=condition.wanted)
    return any(refuses(graph, target.function, mark, wanted=condition.wanted) for target in targets)


def refuses(graph: CallGraph, predicate: int, mark: Written, *, wanted: bool = True) -> bool:
    """A predicate does not answer `wanted` for a value with this mark."""
    owner = graph.program.functions[predicate]
    for value in owner.returns:
        op = owner.ops[value]
        if op[0] == FILTER and op[2][0].kind == GIVEN:
            op = owner.ops[op[1]]
        # All claims of a test hold when it is true; when it must be false, only a single one is surely false.
        if op[0] != TEST or (not wanted and len(op[1]) != 1):
            continue
        for claim in op[1]:
            inner = claim.condition
            if inner.unless is not None or (inner.kind == "has" and inner.key not in mark):
                continue
            asked = Condition(inner.kind, inner.key, inner.values, inner.wanted == wanted)
            if inner.kind != "call" and _contradicts(graph, predicate, asked, mark):
                return True
    return False


_CHECKS: Mapping[str, Check] = {
    "has": _has,
    "holds": _holds,
    "is": _is,
    "member": _member,
    "first": _first,
    "type": _type,
    "prefix": _text_contradicts,
    "call": _predicate,
}
