"""Backward from a call of a model: which texts and names does its input come from?

    PROMPT = PromptTemplate.from_template("Condense the chat: {lines}")
    class Memory:
        prompt = PROMPT
        def fold(self, lines):
            chain = LLMChain(llm=self.llm, prompt=self.prompt)
            return chain.predict(lines=lines)        texts: "Condense the chat: {lines}"; names: chain, prompt, PROMPT

Two hops through functions and any number of fields and module variables: what stands further away says little about
this call and much about others.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field

from ctxlint.ir.ops import ATTR, CALL, CAPTURE, CONST, IMPORT, NAME, PARAM
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.operands import operands

_MAX_VALUES = 300
_MAX_HOPS = 2


@dataclass(slots=True)
class Evidence:
    """The constant texts and the names that an input is made of."""

    texts: dict[str, None] = field(default_factory=dict[str, None])
    names: dict[str, None] = field(default_factory=dict[str, None])


Point = tuple[int, int, int]
"""Function, value, hops through functions so far."""


def evidence(
    graph: CallGraph, function: int, values: tuple[int, ...], answers: Container[tuple[int, int]]
) -> Evidence:
    """What the values are made of; not what `answers`, the calls of models, were asked for."""
    found = Evidence()
    pending: deque[Point] = deque((function, value, 0) for value in values)
    seen: set[tuple[int, int]] = set()
    while pending and len(seen) < _MAX_VALUES:
        point = pending.popleft()
        if point[:2] not in seen and point[:2] not in answers:
            seen.add(point[:2])
            pending.extend(_before(graph, point, found))
    return found


def _before(graph: CallGraph, point: Point, found: Evidence) -> list[Point]:
    function, value, hops = point
    op = graph.program.op(function, value)
    if op[0] == CONST and isinstance(op[1], str):
        found.texts[op[1]] = None
    name = {NAME: 1, IMPORT: 2, ATTR: 2}.get(op[0])
    if name is not None:
        found.names[op[name]] = None
    look = _LOOKS.get(op[0])
    if look is not None:
        return look(graph, function, value, hops)
    return [(function, operand, hops) for operand in operands(op)]


def _name(graph: CallGraph, function: int, value: int, hops: int) -> list[Point]:
    program = graph.program
    held = program.global_value(program.module_of[function], program.op(function, value)[1])
    return [(*held, hops)] if held is not None else []


def _import(graph: CallGraph, function: int, value: int, hops: int) -> list[Point]:
    program = graph.program
    op = program.op(function, value)
    target, _ = program.find_module(program.module_of[function], op[1])
    held = program.global_value(target, op[2]) if target >= 0 else None
    return [(*held, hops)] if held is not None else []


def _capture(graph: CallGraph, function: int, value: int, hops: int) -> list[Point]:
    op = graph.program.op(function, value)
    owner = graph.program.function_id(function, op[2])
    return [(owner, held, hops) for held in graph.program.functions[owner].variables.get(op[1], ())]


def _attribute(graph: CallGraph, function: int, value: int, hops: int) -> list[Point]:
    op = graph.program.op(function, value)
    points: list[Point] = []
    for kind in graph.values.types(function, op[1]):
        if isinstance(kind.target, int):
            points.extend((*field, hops) for field in graph.values.fields(kind.target, op[2]))
    for ref in graph.values.refs(function, op[1]):
        if ref.kind == "module" and isinstance(ref.target, int):
            held = graph.program.global_value(ref.target, op[2])
            if held is not None:
                points.append((*held, hops))
        elif ref.kind == "class" and isinstance(ref.target, int):
            points.extend((*field, hops) for field in graph.values.fields(ref.target, op[2]))
    if not points and graph.program.op(function, op[1])[0] not in {PARAM, NAME, IMPORT, CAPTURE}:
        points.append((function, op[1], hops))
    return points


def _call(graph: CallGraph, function: int, value: int, hops: int) -> list[Point]:
    op = graph.program.op(function, value)
    points: list[Point] = [(function, operand, hops) for operand in (*op[4], *(v for _, v in op[5]))]
    if op[2] >= 0:
        points.append((function, op[2], hops))
    if hops < _MAX_HOPS:
        for target in graph.targets(function, value):
            returns = graph.program.functions[target.function].returns
            points.extend((target.function, returned, hops + 1) for returned in returns)
    return points


def _default(graph: CallGraph, function: int, value: int, hops: int) -> list[Point]:
    owner = graph.program.functions[function]
    index: int = graph.program.op(function, value)[1]
    default = owner.parameters[index].default
    if default and owner.owner >= 0:
        return [(graph.program.function_id(function, owner.owner), default, hops)]
    return []


_LOOKS: Mapping[int, Callable[[CallGraph, int, int, int], list[Point]]] = {
    NAME: _name,
    IMPORT: _import,
    ATTR: _attribute,
    CALL: _call,
    PARAM: _default,
    CAPTURE: _capture,
}
