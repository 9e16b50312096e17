"""From regions to paths: for each site, the nearest sources and the way from them.

Breadth first over the regions, from one source at a time, so that the shortest way (in functions and carriers, then
in operations) is the one that is told.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import NamedTuple

from ctxlint.taint.engine import Engine
from ctxlint.taint.facts import Fact
from ctxlint.taint.regions import Edge, Seed, Sink

_MAX_FLOWS = 3
_MAX_RELATED = 8
_MAX_OUTWARD = 3

SiteKey = tuple[int, int]


class Hop(NamedTuple):
    """A region on the way, and the edge that leads on from it (None in the last one)."""

    seed: Seed
    edge: Edge | None


@dataclass(frozen=True, slots=True)
class Way:
    """How derived text gets from one site to another."""

    source: SiteKey
    site: SiteKey
    hops: tuple[Hop, ...]
    last: Fact
    later: bool

    @property
    def rank(self) -> tuple[bool, int, SiteKey]:
        """Ways of later rounds first, then short ones."""
        return (not self.later, len(self.hops), self.source)


def ways(engine: Engine) -> dict[SiteKey, tuple[Way, ...]]:
    """For each site that derived text reaches, its best ways: one for each source and kind of round."""
    found: dict[SiteKey, list[Way]] = {}
    for source in sorted(engine.sites):
        for way in _from(engine, source):
            found.setdefault(way.site, []).append(way)
    return {site: tuple(sorted(found[site], key=lambda way: way.rank)[:_MAX_FLOWS]) for site in sorted(found)}


def _from(engine: Engine, source: SiteKey) -> list[Way]:
    start = Seed(*source, ())
    came: dict[Seed, tuple[Seed, Edge] | None] = {start: None}
    best: dict[tuple[SiteKey, bool], tuple[Seed, Sink]] = {}
    pending = deque([start])
    while pending:
        seed = pending.popleft()
        region = engine.regions.get(seed)
        if region is None:
            continue
        for sink in region.sinks:
            best.setdefault((sink.site, sink.fact.round < 0), (seed, sink))
        for edge in region.edges:
            if edge.seed not in came:
                came[edge.seed] = (seed, edge)
                pending.append(edge.seed)
    return [_way(source, came, seed, sink) for seed, sink in best.values()]


def _way(source: SiteKey, came: dict[Seed, tuple[Seed, Edge] | None], seed: Seed, sink: Sink) -> Way:
    hops = [Hop(seed, None)]
    step = came[seed]
    while step is not None:
        before, edge = step
        hops.append(Hop(before, edge))
        step = came[before]
    return Way(source, sink.site, tuple(reversed(hops)), sink.fact, sink.fact.round < 0)


def local(engine: Engine, seed: Seed, fact: Fact) -> list[Fact]:
    """The facts from a seed to one of the facts of its region."""
    facts = engine.regions[seed].facts
    chain: list[Fact] = []
    current: Fact | None = fact
    while current is not None and current not in chain:
        chain.append(current)
        current = facts.get(current)
    return chain[::-1]


def outer_calls(engine: Engine) -> dict[SiteKey, tuple[SiteKey, ...]]:
    """For each site, the calls through which derived text is passed down to it."""
    inward: dict[Seed, dict[tuple[Seed, SiteKey], None]] = {}
    for seed, region in engine.regions.items():
        for waiter, _fact, call in region.waiting:
            inward.setdefault(seed, {})[waiter, (waiter.function, call)] = None
    found: dict[SiteKey, dict[SiteKey, None]] = {}
    for seed, region in engine.regions.items():
        for sink in region.sinks:
            calls = found.setdefault(sink.site, {})
            level = [seed]
            for _ in range(_MAX_OUTWARD):
                entries = [entry for inner in level for entry in inward.get(inner, ())]
                calls.update(dict.fromkeys(call for _, call in entries))
                level = list(dict.fromkeys(outer for outer, _ in entries if not outer.free))
    return {site: tuple(sorted(calls)[:_MAX_RELATED]) for site, calls in found.items()}
