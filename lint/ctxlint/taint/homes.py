"""Text that came in through a parameter and was captured: what a nested function makes of it stays in that call.

def wait_for(work):
def run():
return loop.run_until_complete(work)      `work` is of one call of wait_for ...
return pool.submit(run).result()              ... and so is what this call gets, and gives to its caller
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxlint.taint.facts import LATER, Fact
from ctxlint.taint.regions import Exit, Seed
from ctxlint.taint.through import places

if TYPE_CHECKING:
    from ctxlint.taint.engine import Engine
    from ctxlint.taint.heap import Cell


class Homes:
    """The seeds whose text nested functions captured, and the facts that they did."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._seeds: list[Seed] = []
        self._numbers: dict[Seed, int] = {}
        self._origins: dict[Seed, Fact] = {}

    def enclose(self, seed: Seed, fact: Fact, cell: Cell, *, later: bool) -> None:
        """Let the nested functions that read the variable see the text."""
        number = self._numbers.setdefault(seed, len(self._seeds))
        if number == len(self._seeds):
            self._seeds.append(seed)
        for function, value in self.engine.heap.readers(cell):
            entry = Seed(function, value, fact.path, fact.mark, later=later, home=number)
            self._origins.setdefault(entry, fact)
            self.engine.connect(seed, fact, entry, "read", carrier=cell.name)

    def kept(self, seed: Seed, function: int) -> int:
        """The home of what a nested function gives to `function`: the same while that is nested there too."""
        if seed.home < 0 or not self._inside(function, self._seeds[seed.home].function):
            return -1
        return seed.home

    def leave(self, seed: Seed, out: Exit, place: tuple[int, int]) -> bool:
        """Let an exit be seen in the call that the text came in through; False when `place` is not in it."""
        function, call = place
        if seed.home < 0 or self._seeds[seed.home].function != function:
            return False
        home, engine = self._seeds[seed.home], self.engine
        if place in engine.sites and out.parameter < 0:
            return True
        origin = self._origins.get(seed) or next(iter(engine.regions[home].facts))
        number = LATER if out.later and not home.later else origin.round
        for target in engine.graph.targets(function, call):
            for value, path in (
                places(engine, function, call, target, out) if target.function == seed.function else ()
            ):
                if out.parameter < 0:
                    engine.add(home, Fact(value, path, out.mark, number), origin)
                else:
                    engine.changed(home, origin, Fact(value, path, out.mark, origin.round))
        return True

    def _inside(self, function: int, outer: int) -> bool:
        program = self.engine.program
        while function != outer:
            owner = program.functions[function].owner
            if owner <= 0:
                return False
            function = program.function_id(function, owner)
        return True
