"""Outer calls: the calls around a site through which derived text comes to it, the nearest first.

A reader who cannot change the call nearest the model changes one of these.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ctxlint.taint.engine import Engine
from ctxlint.taint.flows import SiteKey, Way
from ctxlint.taint.regions import Seed

MAX_OUTER = 8
_MAX_LEVELS = 3
_MAX_CALLERS = 6

Outer = tuple[SiteKey, str]
"""A call, and what happens there: "passed", "returned" or "called"."""


class OuterCalls:
    """Answers for the sites of one solution."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self._inward: dict[Seed, dict[tuple[Seed, SiteKey], None]] = {}
        self._sinks: dict[SiteKey, list[Seed]] = {}
        self._met = {seed.function for seed in engine.regions}
        for seed, region in engine.regions.items():
            for waiter, _fact, call in region.waiting:
                self._inward.setdefault(seed, {})[waiter, (waiter.function, call)] = None
            for sink in region.sinks:
                self._sinks.setdefault(sink.site, []).append(seed)

    def of(self, site: SiteKey, told: Sequence[Way]) -> tuple[Outer, ...]:
        """The calls around a site: on the told ways, then where its text goes back, then all others."""
        found: dict[SiteKey, str] = {}
        for way in told:
            for call in self._passing(way):
                found.setdefault(call, "passed")
        for way in told:
            for call in self._returning(way):
                found.setdefault(call, "returned")
        for call in self._levels(site):
            found.setdefault(call, "passed")
        for call in self._callers(site):
            found.setdefault(call, "called")
        found.pop(site, None)
        direct = set(self.engine.graph.callers(site[0]))
        return tuple(sorted(found.items(), key=lambda outer: outer[0] not in direct))[:MAX_OUTER]

    def _passing(self, way: Way) -> Iterator[SiteKey]:
        """The calls that pass text down to the site, from the site outwards."""
        for hop in reversed(way.hops[:-1]):
            if hop.edge is None or hop.edge.how != "call":
                return
            call = passing_call(self.engine, hop.seed.function, hop.edge.seed, hop.edge.fact)
            if call is not None:
                yield call

    def _returning(self, way: Way) -> Iterator[SiteKey]:
        """The calls that give the site's own text back, from the site outwards."""
        for hop in way.hops if way.source == way.site else ():
            if hop.edge is None or hop.edge.how != "return":
                return
            yield hop.edge.seed.function, hop.edge.seed.value

    def _levels(self, site: SiteKey) -> Iterator[SiteKey]:
        level = list(dict.fromkeys(self._sinks.get(site, ())))
        for _ in range(_MAX_LEVELS):
            entries = sorted({entry for seed in level for entry in self._inward.get(seed, ())}, key=lambda e: e[1])
            yield from (call for _, call in entries)
            level = list(dict.fromkeys(outer for outer, _ in entries if not outer.free))

    def _callers(self, site: SiteKey) -> Iterator[SiteKey]:
        """Who calls the function of the site: text that it reads itself does not come through them."""
        level = [site[0]]
        for _ in range(_MAX_LEVELS):
            callers = sorted({call for function in level for call in self.engine.graph.callers(function)})
            if len(callers) > _MAX_CALLERS:
                # Of many, those count in whose function derived text was met.
                callers = [call for call in callers if call[0] in self._met][:_MAX_CALLERS]
            if not callers:
                return
            yield from callers
            level = list(dict.fromkeys(function for function, _ in callers))


def passing_call(engine: Engine, function: int, entry: Seed, fact: object) -> SiteKey | None:
    """The call through which a fact of a function entered a region."""
    for waiter, passed, call in engine.regions[entry].waiting:
        if waiter.function == function and passed == fact:
            return function, call
    return None
