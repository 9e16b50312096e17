"""What lies behind a call that a path only passes through: the way of the text inside the function that is called.

turns = note.apply(turns)       passed through apply()
def apply(self, turns):
    turns.insert(0, self.text)  ... which keeps it in turns
"""

from __future__ import annotations

from dataclasses import dataclass, field

from ctxlint.ir.ops import OUT
from ctxlint.taint.engine import Engine
from ctxlint.taint.facts import Fact
from ctxlint.taint.regions import Region, Seed

_Entries = dict[Fact, list[Seed]]


@dataclass(frozen=True, slots=True)
class Insides:
    """Finds the region behind a step; the calls of each region are sorted out once."""

    engine: Engine
    _entries: dict[Seed, _Entries] = field(default_factory=dict[Seed, _Entries])

    def behind(self, seed: Seed, before: Fact, fact: Fact) -> tuple[Seed, Fact] | None:
        """Where the text entered the function that a step calls, and the fact with which it left; None if unknown."""
        op = self.engine.program.op(seed.function, fact.value)
        call = op[2] if op[0] == OUT else fact.value
        for entry in self._calls(seed).get(before, ()):
            region = self.engine.regions[entry]
            if (seed, before, call) in region.waiting:
                left = _left(region, fact, changed=op[0] == OUT)
                if left is not None:
                    return entry, left
        return None

    def _calls(self, seed: Seed) -> _Entries:
        known = self._entries.get(seed)
        if known is None:
            known = self._entries[seed] = {}
            for edge in self.engine.regions[seed].edges:
                if edge.how == "call":
                    known.setdefault(edge.fact, []).append(edge.seed)
        return known


def _left(region: Region, fact: Fact, *, changed: bool) -> Fact | None:
    """The exit through which the text came to where the step has it."""
    for out, inner in region.exits.items():
        # Around what a function gives there may be one more level: what a generator yields is in a list.
        if (out.parameter >= 0) == changed and out.path == fact.path[len(fact.path) - len(out.path) :]:
            return inner
    return None
