"""What a site's text is made from, as far as the function around it shows: for advice, never for findings.

self.turns.append(turn)                              self.turns grows: it holds originals
self.memo = llm.summarize(self.memo + self.turns)    they are still there after the call
self.turns = self.turns[-4:]                         now they are not
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ctxlint.ir import FunctionIR
from ctxlint.ir.ops import ATTR, CALL, CONST, DELETE, NAME, OUT, SET_ATTR, SET_ITEM, WHOLE
from ctxlint.taint.engine import Engine
from ctxlint.taint.flows import SiteKey
from ctxlint.taint.operands import operands
from ctxlint.taint.selves import is_own
from ctxlint.taint.solution import Originals
from ctxlint.taint.spelling import spelled

_MAX_VALUES = 300
_EXTENDS = re.compile(
    r"\b(previous|existing|earlier|current|prior|running|last|old) (\w+ ){0,2}summar"
    r"|\bsummary (so far|to date)\b|\b(extend|update|refine|add to|build on) (\w+ ){0,3}summar",
    re.IGNORECASE,
)


def originals_of(engine: Engine, site: SiteKey, carrier: str) -> Originals | None:
    """What else goes into a site than the carrier: a collection of the object that grows."""
    function = site[0]
    owner = engine.program.functions[function]
    for value in inputs(owner, site[1]):
        op = owner.ops[value]
        name = spelled(engine.graph, function, value) if op[0] == ATTR else ""
        # A carrier that grows holds the originals beside the summaries: which is what a marker is for.
        if name and name != carrier and not carrier.startswith(name) and _is_grown(engine, function, op):
            return Originals(name, kept=not _is_cut(owner, str(op[2])))
    return None


def extends(engine: Engine, site: SiteKey) -> bool:
    """A constant text in a site's input speaks of an earlier summary."""
    function = site[0]
    owner = engine.program.functions[function]
    for value in inputs(owner, site[1]):
        op = owner.ops[value]
        if op[0] == NAME:
            held = engine.program.global_value(engine.program.module_of[function], op[1])
            op = engine.program.op(*held) if held is not None else op
        if op[0] == CONST and isinstance(op[1], str) and _EXTENDS.search(op[1]):
            return True
    return False


def inputs(owner: FunctionIR, call: int) -> Iterator[int]:
    """All values of the function that go into the arguments of a call, the nearest first."""
    op = owner.ops[call]
    if op[0] != CALL:
        return
    level = [*op[4], *(value for _, value in op[5])]
    seen = {call}
    while level and len(seen) < _MAX_VALUES:
        below: list[int] = []
        for value in level:
            if value not in seen:
                seen.add(value)
                yield value
                below.extend(operands(owner.ops[value]))
        level = below


def _is_grown(engine: Engine, function: int, read: tuple[object, ...]) -> bool:
    """`self.X` is read, and somewhere in the file `self.X.append(...)` stands."""
    name, program = str(read[2]), engine.program
    if not (isinstance(read[1], int) and is_own(program.functions[function], read[1])):
        return False
    flow = engine.graph.models.flow
    module = program.module_of[function]
    for local, value in program.modules[module].attributes.get(name, ()):
        owner = program.functions[program.first_function[module] + local]
        for user in engine.uses(program.first_function[module] + local).get(value, ()):
            op = owner.ops[user]
            if op[0] == CALL and op[2] == value and op[3] in flow.appends | flow.extends:
                return True
    return False


def _is_cut(owner: FunctionIR, name: str) -> bool:
    """The function replaces or clears what `self.NAME` holds."""
    for op in owner.ops:
        if op[0] == SET_ATTR and op[2] == name and owner.ops[op[3]][0] != OUT:
            return True
        base = op[2] if op[0] == CALL and op[3] in {"clear", "pop", "popleft"} else None
        base = op[1] if op[0] == DELETE or (op[0] == SET_ITEM and op[2] == WHOLE) else base
        if isinstance(base, int) and base >= 0 and owner.ops[base][0] == ATTR and owner.ops[base][2] == name:
            return True
    return False
