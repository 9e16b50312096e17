"""What keeps two records of one store apart: constant keys, collections and conditions.

store.put("facts", memo)   store.get("turns")                     another key
db.add(kind="summary", text=memo)   db.list(kind="turn")          another value of a field that was written
db.add(text=memo, is_summary=True)  db.list(include_summaries=False)
db.add(Note(text=memo))             db.query(Turn)                a class that the record is not of
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ctxlint.ir.ops import ATTR, BUILD, CALL, CONST, FORMAT, NAME
from ctxlint.taint.deeds import singular
from ctxlint.taint.names import split
from ctxlint.taint.tested import constant as constant_of
from ctxlint.taint.tested import fields_of, given, says_kind

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ctxlint.taint.callgraph import CallGraph
    from ctxlint.taint.facts import Fact
    from ctxlint.taint.stores import Call

_WITHOUT = frozenset({"exclude", "skip", "without", "ignore", "omit", "drop"})
_WITH = frozenset({"include", "with", "keep"})


def apart(graph: CallGraph, writer: Call, reader: Call, fact: Fact) -> bool:
    """What the one writes is not what the other reads."""
    written = constants(graph, writer.function, writer.call)
    asked = constants(graph, reader.function, reader.call)
    for name, value in asked.items():
        if name in written and written[name] != value and not isinstance(name, int):
            return True
        if isinstance(name, str) and _left_out(name, value, fact, written):
            return True
    if narrowed(graph, reader.function, reader.call, {**written, **dict(fact.mark)}):
        return True
    return _first_key(written, asked)


def narrowed(graph: CallGraph, function: int, call: int, mark: Mapping[Any, object]) -> bool:
    """A call asks for another kind of record than one with a mark is: `find({"kind": "turn"})`, `kind="turn"`."""
    op = graph.program.op(function, call)
    if op[0] != CALL:
        return False
    ops = graph.program.functions[function].ops
    inner = [pair for value in given(op) for pair in fields_of(ops[value])]
    for name, value in (*op[5], *inner):
        held = mark.get(name)
        if isinstance(held, str) and says_kind(name):
            asked = _asked(graph, function, value)
            if asked and held not in asked:
                return True
    return False


def _asked(graph: CallGraph, function: int, value: int) -> list[object]:
    """The constants one of which a field must be; none where they are not known."""
    op = graph.program.op(function, value)
    fields = fields_of(op)
    if fields and all(name[:1] == "$" for name, _ in fields):
        if [name for name, _ in fields] not in (["$eq"], ["$in"]):
            return []
        return _asked(graph, function, fields[0][1])
    found = [
        constant_of(graph.program, function, held)
        for held in ([pair[1] for pair in op[1]] if op[0] == BUILD else [value])
    ]
    return found if all(isinstance(known, str) for known in found) else []


def given_classes(graph: CallGraph, function: int, call: int) -> list[int]:
    """The linted classes that what a call is given is of."""
    op = graph.program.op(function, call)
    return [
        kind.target
        for value in (*op[4], *(held for _, held in op[5]))
        for kind in graph.values.types(function, value)
        if isinstance(kind.target, int)
    ]


def named_classes(graph: CallGraph, function: int, call: int) -> list[int]:
    """`query(Note)`, `scalars(select(Note).where(...))`: the classes that stand among the arguments."""
    found: list[int] = []
    pending = [call]
    while pending:
        op = graph.program.op(function, pending.pop())
        for value in (*op[4], *(held for _, held in op[5])):
            inner = value
            while graph.program.op(function, inner)[0] == CALL and graph.program.op(function, inner)[2] >= 0:
                inner = graph.program.op(function, inner)[2]
            if graph.program.op(function, inner)[0] == CALL:
                pending.append(inner)
            found.extend(
                ref.target
                for ref in graph.values.refs(function, value)
                if ref.kind == "class" and isinstance(ref.target, int)
            )
    return found


def _first_key(written: dict[int | str, object], asked: dict[int | str, object]) -> bool:
    """The keys that both give first are constants, and not the same."""
    if 0 not in written or 0 not in asked:
        return False
    return type(written[0]) is type(asked[0]) and written[0] != asked[0]


def _left_out(name: str, value: object, fact: Fact, written: dict[int | str, object]) -> bool:
    """`exclude_summaries=True`, `include_summaries=False`: what was marked so is not given back."""
    first, *rest = split(name)
    if not ((first in _WITHOUT and value is True) or (first in _WITH and value is False)):
        return False
    about = {singular(word) for word in rest}
    marks = {singular(word) for key, held in fact.mark if held for word in split(str(key))}
    marks.update(singular(word) for _, held in fact.mark if isinstance(held, str) for word in split(held))
    marks.update(singular(word) for key, held in written.items() if held is True for word in split(str(key)))
    return bool(about & marks)


def constants(graph: CallGraph, function: int, call: int) -> dict[int | str, object]:
    """The constant texts and truth values that a call gets, by position or keyword."""
    op = graph.program.op(function, call)
    pairs = [*enumerate(op[4]), *op[5]]
    found: dict[int | str, object] = {}
    for name, value in pairs:
        text = constant(graph, function, value)
        if isinstance(text, str | bool):
            found[name] = text
    return found


def constant(graph: CallGraph, function: int, value: int) -> object:
    """The constant that a value is, through the names of constants; None when it is none."""
    program = graph.program
    op = program.op(function, value)
    if op[0] == CONST:
        return op[1]
    if op[0] == NAME:
        held = program.global_value(program.module_of[function], op[1])
        if held is not None and program.op(*held)[0] == CONST:
            return program.op(*held)[1]
        return f"${op[1]}" if op[1].isupper() else None
    if op[0] == ATTR and str(op[2]).isupper():
        return f"${op[2]}"
    if op[0] == FORMAT and op[1] and program.op(function, op[1][0])[0] == CONST:
        # `f"facts:{user}"`: what stands before the colon names the kind of record.
        start = str(program.op(function, op[1][0])[1])
        return start if start.endswith((":", "/", "_", "-")) else None
    return None
