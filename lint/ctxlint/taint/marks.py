"""Guards: what is written next to a summary, and the tests that take such values out.

    note = {"content": summary, "is_summary": True}         mark {is_summary: True}
    turns = [t for t in turns if not t.get("is_summary")]   no value with that mark passes

A test counts only when the mark was written on the very value that it would filter: a marker that is written and
never read, or read and never written, filters nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from ctxlint.ir import Condition
from ctxlint.ir.ops import ATTR, BUILD, CALL, CONST, FILTER, ITEM, NAME, OUT, TEST
from ctxlint.ir.switches import GIVEN
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.facts import Mark, Path
from ctxlint.taint.switches import wait, waiting
from ctxlint.taint.tested import KIND, TEXT, Tested, named

_MAX_PAIRS = 6
_MAX_ROOTS = 8
_TEXT = 60


class Identity(NamedTuple):
    """A value that is no constant, such as a fresh id: the same value elsewhere is the same id."""

    function: int
    value: int


def extend(mark: Mark, pairs: dict[str, object], known: Tested) -> Mark:
    """A mark with more written next to the text; what is written last wins, what no test looks at is left out."""
    seen = {key: _needed(key, value, known) for key, value in pairs.items() if _looked_at(key, value, known)}
    if not seen:
        return mark
    merged = dict(mark) | seen
    return tuple(sorted(merged.items(), key=lambda pair: pair[0])[:_MAX_PAIRS])


def _needed(key: str, value: object, known: Tested) -> object:
    """Where a field is only asked whether it is set, any text in it is a plain yes."""
    if key in {KIND, TEXT} or not isinstance(value, str) or not value or ("is", key) in known:
        return value
    return True


def _looked_at(key: str, value: object, known: Tested) -> bool:
    if key == TEXT:
        start = str(value)
        return any((TEXT, start[:length]) in known for length in range(3, len(start) + 1))
    if key == KIND:
        return (KIND, value) in known
    # A marker is a text or a plain yes: flags that are off and numbers mark nothing.
    return key in known and (value is True or isinstance(value, str | Identity))


def siblings(graph: CallGraph, function: int, value: int, holder: int) -> dict[str, object]:
    """What a display or a constructor call writes next to the value that it holds."""
    op = graph.program.op(function, holder)
    pairs: dict[str, object] = {}
    if op[0] == BUILD:
        fields = op[1]
    elif op[0] == CALL:
        fields = op[5]
        callee = graph.name(function, holder)
        if callee[:1].isupper():
            pairs[KIND] = callee
    else:
        return pairs
    for name, other in fields:
        if name and other != value:
            pairs.update(_near(graph, function, name, other))
    return pairs


def _near(graph: CallGraph, function: int, name: str, value: int) -> dict[str, object]:
    op = graph.program.op(function, value)
    if op[0] == BUILD:
        # `metadata={"summary": True}` marks as well as `summary=True` does.
        inner = {key: written(graph, function, held) for key, held in op[1] if key}
        return {key: text for key, text in inner.items() if text is not None}
    text = written(graph, function, value)
    if text is None and ("member", name) in graph.tested:
        root = _root(graph, function, value)
        # An id that this function notes nowhere is not told apart by any test.
        return {name: Identity(function, root)} if _noted(graph, function, root) else {}
    return {} if text is None else {name: text}


def _root(graph: CallGraph, function: int, value: int) -> int:
    """What a value was before calls that got it, or what its field was given: `note["id"]` is that id."""
    for _ in range(_MAX_ROOTS):
        op = graph.program.op(function, value)
        if op[0] == OUT:
            value = op[1]
            continue
        holder = graph.program.op(function, _root(graph, function, op[1])) if op[0] in {ATTR, ITEM} else ()
        held = dict(holder[1] if holder and holder[0] == BUILD else ()).get(op[2]) if holder else None
        if held is None:
            break
        value = held
    return value


def without(mark: Mark, key: str) -> Mark:
    """A mark after what was written under a key has been written over."""
    return tuple(pair for pair in mark if pair[0] != key)


def written(graph: CallGraph, function: int, value: int) -> object:
    """The constant that a value is, or `$NAME` of a named one; None when it is neither."""
    op = graph.program.op(function, value)
    if op[0] == CONST:
        return op[1] if op[1] is not None else None
    if op[0] == NAME:
        held = graph.program.global_value(graph.program.module_of[function], op[1])
        if held is not None:
            inner = graph.program.op(*held)
            if inner[0] == CONST and inner[1] is not None:
                return inner[1]
        return f"${op[1]}"
    return None


def prefix(graph: CallGraph, function: int, values: tuple[int, ...], value: int) -> dict[str, object]:
    """The constant text that a summary is put behind."""
    if not values or values[0] == value:
        return {}
    text = written(graph, function, values[0])
    return {TEXT: text[:_TEXT]} if isinstance(text, str) and len(text.strip()) > 2 else {}


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
        # A text that was taken out of its holder shows only itself.
        elif (path or condition.kind in {"prefix", "holds"}) and _contradicts(graph, function, condition, held):
            needed = condition.unless
            if needed is None:
                return None
        waits = wait(after, function, *needed) if needed is not None else after
        if waits is None:
            return None
        after = waits
    return after


def taken_out(mark: Mark) -> Mark:
    """The mark of a text that leaves its holder: what the text itself starts with, and what it waits for."""
    return (*waiting(mark), *(pair for pair in mark if pair[0] == TEXT))


Written = Mapping[str, object]
Check = Callable[[CallGraph, int, Condition, Written], bool]


def _contradicts(graph: CallGraph, function: int, condition: Condition, mark: Written) -> bool:
    return _CHECKS[condition.kind](graph, function, condition, mark)


def _has(_graph: CallGraph, _function: int, condition: Condition, mark: Written) -> bool:
    return condition.key in mark and bool(mark[condition.key]) != condition.wanted


def _holds(graph: CallGraph, function: int, condition: Condition, mark: Written) -> bool:
    named_key = condition.values[0] in mark and not condition.wanted
    return named_key or _text_contradicts(graph, function, condition, mark)


def _is(graph: CallGraph, function: int, condition: Condition, mark: Written) -> bool:
    known = [_resolved(graph, function, value) for value in condition.values]
    return condition.key in mark and (mark[condition.key] in known) != condition.wanted


def _member(graph: CallGraph, _function: int, condition: Condition, mark: Written) -> bool:
    return not condition.wanted and _is_noted(graph, mark.get(condition.key), str(condition.values[0]))


def _type(graph: CallGraph, _function: int, condition: Condition, mark: Written) -> bool:
    names = [str(value).rpartition(".")[2] for value in condition.values]
    return KIND in mark and _is_one_of(graph, mark[KIND], names) != condition.wanted


def _is_noted(graph: CallGraph, identity: object, container: str) -> bool:
    """The id that the summary got was put in the container: `self.summary_ids.add(key)`."""
    if not isinstance(identity, Identity):
        return False
    return container in _noted(graph, identity.function, identity.value)


def _noted(graph: CallGraph, function: int, identity: int) -> list[str | None]:
    """The containers that a function puts an id in."""
    owner = graph.program.functions[function]
    found: list[str | None] = []
    for op in owner.ops:
        if op[0] != CALL or op[3] not in graph.models.flow.appends:
            continue
        if identity in [_root(graph, function, value) for value in op[4]]:
            holder = owner.ops[op[2]]
            found.append(holder[2] if holder[0] == ATTR else owner.names.get(op[2]))
    return found


def _text_contradicts(graph: CallGraph, function: int, condition: Condition, mark: Written) -> bool:
    if TEXT not in mark or condition.wanted:
        return False
    expected = [_resolved(graph, function, value) for value in condition.values]
    return any(isinstance(text, str) and text and str(mark[TEXT]).startswith(text[:_TEXT]) for text in expected)


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
    return any(
        refuses(graph, target.function, mark, wanted=condition.wanted) for target in graph.targets(function, call)
    )


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
            if inner.unless is not None:
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
    "type": _type,
    "prefix": _text_contradicts,
    "call": _predicate,
}
