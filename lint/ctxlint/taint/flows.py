"""From regions to paths: for each site, the ways of derived text into it.

    shortest:   source -> region -> ... -> region of a sink
    by a carrier:   source -> ... -> region -(kept)-> carrier -> ... -> region of a sink

Breadth first from the site backwards, then from each near source forward, so that the shortest way (in functions and
carriers, then in operations) comes first. Text that can come through several carriers is told once for each of them:
who closes one way wants to know about the next.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from ctxlint.taint.engine import Engine
from ctxlint.taint.facts import Fact
from ctxlint.taint.regions import HUB, Edge, Seed, Sink
from ctxlint.taint.winding import winds

_MAX_SOURCES = 8
_MAX_REGIONS = 1_500
_MAX_DETOURS = 8
_MAX_WAYS = 32
_FAR = 2
"""What a step away in the code costs, in functions and carriers: a site's own text is the likeliest to come back."""

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


class _Next(NamedTuple):
    """The first step from a region towards a site: an edge, or the sink itself."""

    edge: Edge | None
    sink: Sink
    distance: int


def ways(engine: Engine) -> Iterator[tuple[SiteKey, list[Way]]]:
    """For each site that derived text reaches, its ways: the best first, those around a carrier among them.

    A site whose own text reaches no site is the last stage of a chain: where another site's text is handed to it in
    the same pass, what comes first is that.
    """
    back = _reversed(engine)
    ends: dict[SiteKey, dict[bool, list[tuple[Seed, Sink]]]] = {}
    for seed, region in engine.regions.items():
        for sink in region.sinks:
            ends.setdefault(sink.site, {}).setdefault(sink.fact.round < 0, []).append((seed, sink))
    leading = _towards(back, [end for site in ends.values() for ways in site.values() for end in ways])
    for site in sorted(ends):
        last = Seed(*site, ()) not in leading and False in ends[site]
        found: list[Way] = []
        for later in (True, False):
            towards = _towards(back, ends[site].get(later, []))
            found.extend(_ways(engine, site, towards, later=later))
        if found:
            ranked = sorted(found, key=lambda way: _rank(engine, way))
            best = list(_by_carriers(engine, ranked))[:_MAX_WAYS]
            yield site, sorted(best, key=lambda way: way.later) if last else best


def _by_carriers(engine: Engine, ranked: list[Way]) -> Iterator[Way]:
    """The best way into each carrier, then the second of each: many ways through one would hide the others."""
    seen: Counter[tuple[object, ...]] = Counter()
    turns: list[tuple[bool, bool, int, int]] = []
    for index, way in enumerate(ranked):
        key = (way.later, _first_carrier(way))
        turns.append((winds(engine, way), not way.later, seen[key], index))
        seen[key] += 1
    return (ranked[turn[-1]] for turn in sorted(turns))


def _first_carrier(way: Way) -> tuple[int, int]:
    """The carrier that a way goes into first: who closes that one has no need of those behind it."""
    for hop in way.hops:
        if hop.edge is not None and (hop.edge.seed.function == HUB or hop.edge.how == "assigned"):
            return hop.edge.seed[:2]
    return HUB, HUB


def _rank(engine: Engine, way: Way) -> tuple[bool, bool, int, SiteKey]:
    """Straight ways first, of these the ones of later rounds, then what is easy to follow: short, from close by."""
    return (
        winds(engine, way),
        not way.later,
        len(way.hops) + _FAR * _apart(engine, way.source, way.site),
        way.source,
    )


def _apart(engine: Engine, source: SiteKey, site: SiteKey) -> int:
    """How far two sites are from one another in the code."""
    program = engine.program
    if source == site:
        return 0
    if source[0] == site[0] or program.class_of(source[0]) == program.class_of(site[0]) >= 0:
        return 1
    return 2 if program.module_of[source[0]] == program.module_of[site[0]] else 3


def _reversed(engine: Engine) -> Mapping[Seed, list[tuple[Seed, Edge]]]:
    back: dict[Seed, list[tuple[Seed, Edge]]] = {}
    for seed, region in engine.regions.items():
        for edge in region.edges:
            back.setdefault(edge.seed, []).append((seed, edge))
    return back


def _towards(back: Mapping[Seed, list[tuple[Seed, Edge]]], ends: list[tuple[Seed, Sink]]) -> dict[Seed, _Next]:
    """From every region that leads to one of the ends, the first step there."""
    known: dict[Seed, _Next] = {}
    for seed, sink in ends:
        known.setdefault(seed, _Next(None, sink, 0))
    pending = deque(known)
    while pending:
        seed = pending.popleft()
        here = known[seed]
        for before, edge in back.get(seed, ()):
            if before not in known:
                known[before] = _Next(edge, here.sink, here.distance + 1)
                pending.append(before)
    return known


def _ways(engine: Engine, site: SiteKey, towards: dict[Seed, _Next], *, later: bool) -> Iterator[Way]:
    near = [
        (towards[start].distance + _FAR * _apart(engine, source, site), source)
        for source in engine.sites
        if (start := Seed(*source, ())) in towards
    ]
    leading: dict[Seed, list[Edge]] = {}
    for _, source in sorted(near)[:_MAX_SOURCES]:
        start = Seed(*source, ())
        yield Way(source, site, *_onward(towards, start, ()), later)
        came, detours = _spread(engine, start, towards, leading)
        for seed, edge in detours:
            before = (*_before(came, seed), Hop(seed, edge))
            yield Way(source, site, *_onward(towards, edge.seed, before), later)


def _onward(towards: dict[Seed, _Next], seed: Seed, before: tuple[Hop, ...]) -> tuple[tuple[Hop, ...], Fact]:
    hops = list(before)
    while True:
        step = towards[seed]
        hops.append(Hop(seed, step.edge))
        if step.edge is None:
            return tuple(hops), step.sink.fact
        seed = step.edge.seed


def _spread(
    engine: Engine, start: Seed, towards: dict[Seed, _Next], leading: dict[Seed, list[Edge]]
) -> tuple[dict[Seed, Hop | None], list[tuple[Seed, Edge]]]:
    """How each region is reached from a source, and the nearest edges into carriers that lead to the site."""
    came: dict[Seed, Hop | None] = {start: None}
    depth = {start: 0}
    detours: list[tuple[int, Seed, Edge]] = []
    pending = deque([start])
    while pending and len(came) < _MAX_REGIONS:
        seed = pending.popleft()
        edges = leading.get(seed)
        if edges is None:
            edges = leading[seed] = [edge for edge in engine.regions[seed].edges if edge.seed in towards]
        for edge in edges:
            if edge.seed.function == HUB or edge.how == "assigned":
                detours.append((depth[seed] + towards[edge.seed].distance, seed, edge))
            if edge.seed not in came:
                came[edge.seed] = Hop(seed, edge)
                depth[edge.seed] = depth[seed] + 1
                pending.append(edge.seed)
    # One line that puts many fields away, or one field in many rounds, is one place to keep the text.
    near: dict[tuple[int, int, int], tuple[Seed, Edge]] = {}
    for _, seed, edge in sorted(detours, key=lambda detour: detour[0]):
        near.setdefault((seed.function, edge.fact.value, edge.seed.value), (seed, edge))
    seen: Counter[tuple[int, int]] = Counter()
    turns: list[tuple[int, int]] = []
    for index, (_, edge) in enumerate(near.values()):
        turns.append((seen[edge.seed[:2]], index))
        seen[edge.seed[:2]] += 1
    known = list(near.values())
    return came, [known[index] for _, index in sorted(turns)[:_MAX_DETOURS]]


def _before(came: dict[Seed, Hop | None], seed: Seed) -> tuple[Hop, ...]:
    hops: list[Hop] = []
    hop = came[seed]
    while hop is not None:
        hops.append(hop)
        hop = came[hop.seed]
    return tuple(reversed(hops))


def local(engine: Engine, seed: Seed, fact: Fact) -> list[Fact]:
    """The facts from a seed to one of the facts of its region."""
    facts = engine.regions[seed].facts
    chain: list[Fact] = []
    current: Fact | None = fact
    while current is not None and current not in chain:
        chain.append(current)
        current = facts.get(current)
    return chain[::-1]
