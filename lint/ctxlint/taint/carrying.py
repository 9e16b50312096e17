"""What carries the text on a way: the last carrier from which text of an earlier round is read.

self.memo = llm.summarize(self.memo + new)      FIELD, kept where the field is assigned
for page in pages: memo = fold(memo, page)      VARIABLE, kept where `memo` is assigned
return collapse(llm, halves)                    RECURSION, kept nowhere
"""

from __future__ import annotations

from itertools import pairwise
from typing import NamedTuple

from ctxlint.ir.ops import ELEMENT, IN_LIST, LOOP
from ctxlint.taint.engine import Engine
from ctxlint.taint.facts import loop_of
from ctxlint.taint.flows import Way, local
from ctxlint.taint.regions import HUB, Edge
from ctxlint.taint.solution import Carrying
from ctxlint.taint.spelling import spelled

_KINDS = {
    "field": Carrying.FIELD,
    "global": Carrying.FIELD,
    "state": Carrying.STATE,
    "captured": Carrying.VARIABLE,
    "store": Carrying.STORE,
    "helper": Carrying.FIELD,
}


class Carrier(NamedTuple):
    """The carrier of a way: its kind, and the value (of a function, -1 for none) with which it takes the text."""

    kind: Carrying
    function: int = -1
    value: int = -1
    collection: bool = False
    sure: bool = True


def carrier_of(engine: Engine, way: Way) -> Carrier:
    """The carrier that outlives most: what a later round reads from outside of a function, else a loop's variable."""
    if not way.later:
        return _in_loops(engine, way, Carrier(Carrying.ONCE))
    for hop in reversed(way.hops):
        if hop.edge is not None and hop.seed.function != HUB and hop.edge.seed.function == HUB:
            return _kept(engine, hop.seed.function, hop.edge)
    for hop in reversed(way.hops):
        if hop.edge is not None and hop.edge.how == "assigned":
            return Carrier(Carrying.VARIABLE, hop.seed.function, hop.edge.fact.value)
    return _in_loops(engine, way, Carrier(Carrying.RECURSION))


def _kept(engine: Engine, function: int, edge: Edge) -> Carrier:
    cell = next((cell for cell, number in engine.numbers.items() if number == edge.seed.value), None)
    kind = Carrying.STORE if cell is None else _KINDS[cell.kind]
    collection = IN_LIST in edge.seed.path
    value = int(edge.carrier) if edge.how == "stored" else edge.fact.value
    return Carrier(kind, function, value, collection)


def _in_loops(engine: Engine, way: Way, other: Carrier) -> Carrier:
    for hop in reversed(way.hops):
        if hop.seed.function == HUB:
            continue
        last = way.last if hop.edge is None else hop.edge.fact
        ops = engine.program.functions[hop.seed.function].ops
        for before, fact in reversed(list(pairwise(local(engine, hop.seed, last)))):
            if ops[fact.value][0] == LOOP and fact.round < 0 <= before.round:
                return Carrier(Carrying.VARIABLE, hop.seed.function, before.value, IN_LIST in fact.path)
    return other


def loop_over(engine: Engine, carrier: Carrier) -> str:
    """What the loop goes over in which a variable is carried, as written; "" when it has no name."""
    owner = engine.program.functions[carrier.function]
    number = loop_of(owner, carrier.value)
    while number:
        loop = owner.loops[number]
        for value in range(loop.start, loop.end):
            if owner.ops[value][0] == ELEMENT and loop_of(owner, value) == number:
                return spelled(engine.graph, carrier.function, owner.ops[value][1])
        number = loop.parent
    return ""
