"""What the engine knows when it has ended, for rules that ask for more than where derived text arrives.

for site in insight.sites: insight.place(*site)      every summarizer site, and where it stands
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from ctxlint.finding import Place
from ctxlint.ir import FunctionIR
from ctxlint.ir.ops import CALL, CONCAT, CONST, EXIT, FORMAT, NAME, PHI
from ctxlint.taint.engine import Engine
from ctxlint.taint.facts import Fact
from ctxlint.taint.flows import SiteKey
from ctxlint.taint.regions import Region, Seed
from ctxlint.taint.sites import Site
from ctxlint.taint.telling import Teller

_OUTSIDE = frozenset({"kept", "state", "stored", "changed"})
_MAX_PIECES = 60


@dataclass(frozen=True, slots=True)
class Insight:
    """The engine of a solution, and its sites by function and call."""

    engine: Engine
    sites: dict[SiteKey, Site]
    teller: Teller

    def code(self, function: int) -> FunctionIR:
        """A function of the program."""
        return self.engine.program.functions[function]

    def committed(self) -> Iterator[tuple[Seed, Fact]]:
        """Each fact that leads to a carrier outside of its function, with the seed of its region, in order."""
        for seed, region in self.engine.regions.items():
            if seed.function >= 0 and region.edges:
                for fact in _leading(region):
                    yield seed, fact

    def given_text(self, function: int, value: int) -> tuple[str, ...]:
        """The constant texts that a value of a function is put together from, there."""
        ops = self.code(function).ops
        found: list[str] = []
        pending, seen = [value], {value}
        while pending and len(seen) < _MAX_PIECES:
            op = ops[pending.pop(0)]
            if op[0] == NAME:
                held = self.engine.program.global_value(self.engine.program.module_of[function], op[1])
                found.append(str(op[1]))
                op = self.engine.program.op(*held) if held is not None else op
            if op[0] == CONST and isinstance(op[1], str):
                found.append(op[1])
            elif op[0] in {CONCAT, FORMAT, PHI, EXIT}:
                fresh = [piece for piece in op[1] if piece not in seen]
                seen.update(fresh)
                pending.extend(fresh)
            elif op[0] == CALL and op[2] >= 0 and op[2] not in seen:  # "...".format(text), text.strip()
                seen.add(op[2])
                pending.append(op[2])
        return tuple(found)

    def busiest(self) -> tuple[FunctionIR, Place]:
        """The function in which most was found about derived text, and where it stands."""
        spent: Counter[int] = Counter()
        for seed, region in self.engine.regions.items():
            if seed.function >= 0:
                spent[seed.function] += len(region.facts)
        function = min(spent, key=lambda each: (-spent[each], each), default=0)
        code = self.code(function)
        return code, Place(self.engine.program.path_of(function), *code.span)

    def place(self, function: int, value: int) -> Place:
        """Where a value is made."""
        return self.teller.place(function, value)


def _leading(region: Region) -> Iterator[Fact]:
    """The facts of a region from which an edge into a carrier follows."""
    leading: dict[Fact, None] = {}
    for edge in region.edges:
        fact: Fact | None = edge.fact if edge.how in _OUTSIDE else None
        while fact is not None and fact not in leading:
            leading[fact] = None
            fact = region.facts.get(fact)
    return iter(leading)
