"""Paths for readers: which steps of a way are worth telling, and in which words.

WRITTEN  notes.py:9   a summary is written here: its prompt asks for a summary
KEPT     notes.py:9   kept in self.buffer
READ     notes.py:8   read from self.buffer
PASSED   notes.py:8   passed to fold()
REACHES  notes.py:5   enters the summarizer in fold()
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise

from ctxlint.finding import Place, Related, Step, StepRole
from ctxlint.ir import Span
from ctxlint.ir.ops import ANY, BUILD, CALL, IN_LIST, LOOP, OUT, SET_ATTR, SET_ITEM
from ctxlint.taint.carrying import Carrier, carrier_of, loop_over
from ctxlint.taint.engine import Engine
from ctxlint.taint.facts import Fact, Path
from ctxlint.taint.flows import Hop, SiteKey, Way, local
from ctxlint.taint.heap import Cell
from ctxlint.taint.insides import Insides
from ctxlint.taint.markers import marker_of
from ctxlint.taint.operands import operands
from ctxlint.taint.outward import Outer, passing_call
from ctxlint.taint.regions import HUB, Edge, Seed
from ctxlint.taint.sites import Site
from ctxlint.taint.solution import Carrying, Flow, Marker, SitePlace
from ctxlint.taint.spelling import field_of, spelled
from ctxlint.taint.storenames import read_from, written_to
from ctxlint.taint.winding import strays, winds

_MAX_FLOWS = 8
_MAX_SOURCES = 4
"""Behind so many flows, one more only counts for where it keeps the text."""
_AT_CARRIERS = frozenset({StepRole.KEPT, StepRole.READ})
_PUT = "put under "
_DEEP = 3
"""So many calls below each other are told from inside."""
_OUTER = {
    "passed": "derived text is passed towards {name}() here",
    "returned": "the summary that {name}() writes comes back here",
    "called": "{name}() is called here",
}


@dataclass(frozen=True, slots=True)
class Teller:
    """Turns ways into flows."""

    engine: Engine
    sites: dict[SiteKey, Site]
    _insides: Insides = field(init=False)
    _cells: tuple[Cell, ...] = field(init=False)

    def __post_init__(self) -> None:
        """Set up what all paths share."""
        object.__setattr__(self, "_insides", Insides(self.engine))
        object.__setattr__(self, "_cells", tuple(self.engine.numbers))  # they are numbered in their order

    def place(self, function: int, value: int) -> Place:
        """Where a value is made; where its function starts, when it has no place of its own."""
        owner = self.engine.program.functions[function]
        span: Span | None = owner.spans[value]
        if span is None:
            op = owner.ops[value]
            nested = [owner.spans[other] for other in ((op[2],) if op[0] == OUT else operands(op))]
            span = next((known for known in nested if known is not None), None)
        return Place(self.engine.program.path_of(function), *(span or owner.span[:2] + owner.span[:2]))

    def site(self, key: SiteKey) -> SitePlace:
        """A site as a place."""
        site = self.sites[key]
        return SitePlace(self.place(*key), self.engine.program.functions[key[0]].qualname, site.why, site.confidence)

    def related(self, calls: Iterable[Outer], site: SiteKey) -> tuple[Related, ...]:
        """Outer calls as related places, in their order."""
        name = self.engine.program.functions[site[0]].name
        return tuple(Related(self.place(*call), _OUTER[how].format(name=name)) for call, how in calls)

    def flows(self, ways: Iterable[Way]) -> tuple[tuple[Way, Flow], ...]:
        """The ways worth telling: each one shows a source or a place to keep text that none before it shows."""
        told: list[tuple[Way, Flow]] = []
        seen: set[object] = set()
        for way in ways:
            steps = self._steps(way)
            shown: set[object] = {
                _line(step) for step in steps if step.role is StepRole.KEPT or step.note.startswith(_PUT)
            }
            if len(told) < _MAX_SOURCES:
                shown.add(way.source)
            if told and (shown <= seen or _doubles_back(steps)):
                continue
            seen |= shown
            # Only now: a function that two carriers go through would make the way look like a detour.
            told.append((way, self._flow(way, steps, self._steps(way, deep=_DEEP))))
            if len(told) == _MAX_FLOWS:
                break
        return tuple(told)

    def _steps(self, way: Way, *, deep: int = 0) -> tuple[Step, ...]:
        steps = [
            Step(
                StepRole.WRITTEN, self.place(*way.source), f"a summary is written here: {self.sites[way.source].why}"
            )
        ]
        for hop in way.hops:
            last = way.last if hop.edge is None else hop.edge.fact
            steps.extend(self._inside(hop, last, deep))
            if hop.edge is not None:
                steps.extend(self._between(hop.seed, hop.edge))
        name = self.engine.program.functions[way.site[0]].name
        steps.append(Step(StepRole.REACHES, self.place(*way.site), f"enters the summarizer in {name}()"))
        return tuple(_without_repeats(_without_requests(steps)))

    def _flow(self, way: Way, told: tuple[Step, ...], steps: tuple[Step, ...]) -> Flow:
        """All steps of a way, and what carries the text: that is one of those told without a look into calls."""
        carrier = carrier_of(self.engine, way)
        kept, read = self._ends(told, carrier)
        name = kept.note.removeprefix("kept in ") if kept else self._variable(way)
        return Flow(
            self.site(way.source),
            steps,
            name,
            way.later,
            kept.place if kept else None,
            read.place if read else None,
            carrier.kind,
            carrier.collection,
            self._marker(way),
            len(way.hops),
            carrier.sure,
            winding=winds(self.engine, way),
            straying=strays(self.engine, way),
            over=loop_over(self.engine, carrier) if carrier.kind is Carrying.VARIABLE else "",
        )

    def _ends(self, told: tuple[Step, ...], carrier: Carrier) -> tuple[Step | None, Step | None]:
        """Where the carrier takes the text and where it gives it back."""
        known = self.place(carrier.function, carrier.value) if carrier.function >= 0 else None
        places = [index for index, step in enumerate(told) if step.role is StepRole.KEPT]
        best = next((index for index in reversed(places) if told[index].place == known), None)
        best = places[-1] if best is None and places else best
        if best is None:
            return None, next((step for step in reversed(told) if step.role is StepRole.READ), None)
        return told[best], next((step for step in told[best:] if step.role is StepRole.READ), None)

    def _marker(self, way: Way) -> Marker | None:
        found = marker_of(self.engine, way)
        return None if found is None else Marker(found.text, self.place(found.function, found.value))

    def _variable(self, way: Way) -> str:
        return self.engine.program.functions[way.source[0]].names.get(way.source[1], "")

    def _inside(self, hop: Hop, last: Fact, deep: int) -> Iterator[Step]:
        seed = hop.seed
        if seed.function == HUB:
            return
        chain = local(self.engine, seed, last)
        graph, function = self.engine.graph, seed.function
        owner = self.engine.program.functions[function]
        carrier = ""
        for index, (before, fact) in enumerate(pairwise(chain), 1):
            op = owner.ops[fact.value]
            there = self.place(function, fact.value)
            if op[0] == LOOP and fact.round < 0 <= before.round:
                name = carrier or owner.names.get(fact.value) or "a variable"
                yield Step(StepRole.KEPT, self.place(function, before.value), f"kept in {name}")
                yield Step(StepRole.READ, self._use(hop, chain[index:]), f"read from {name} in the next round")
            elif (op[0] in {SET_ATTR, SET_ITEM} and op[3] == before.value) or (
                op[0] == OUT and op[1] != before.value
            ):
                carrier = field_of(graph, function, fact.value)
                yield Step(StepRole.KEPT, there, f"kept in {carrier or 'an object'}")
            elif op[0] == CALL:
                yield Step(StepRole.PASSED, there, f"passed through {graph.name(function, fact.value) or 'a call'}()")
            elif op[0] == BUILD and _is_named(named := fact.path[:1]):
                yield Step(StepRole.PASSED, there, f'{_PUT}"{named[0]}"')
            if deep and op[0] in {CALL, OUT}:
                yield from self._behind(seed, before, fact, deep)

    def _behind(self, seed: Seed, before: Fact, fact: Fact, deep: int) -> Iterator[Step]:
        """Where a function that is only passed through puts the text on its way."""
        found = self._insides.behind(seed, before, fact)
        if found is not None:
            for step in self._inside(Hop(found[0], None), found[1], deep - 1):
                if step.role in _AT_CARRIERS or step.note.startswith(_PUT):
                    yield step

    def _use(self, hop: Hop, chain: list[Fact]) -> Place:
        """Where the value at a loop's head is used next: the head itself has no place in the text."""
        function = hop.seed.function
        spans = self.engine.program.functions[function].spans
        found = next((fact.value for fact in chain[1:] if spans[fact.value] is not None), None)
        if found is None and hop.edge is not None and hop.edge.how == "call":
            call = passing_call(self.engine, function, hop.edge.seed, hop.edge.fact)
            found = call[1] if call is not None else None
        return self.place(function, chain[0].value if found is None else found)

    def _between(self, seed: Seed, edge: Edge) -> Iterator[Step]:
        program, function = self.engine.program, seed.function
        entry = edge.seed
        if edge.how == "stored":
            writer = int(edge.carrier)
            store = written_to(self.engine, function, writer)
            yield Step(StepRole.KEPT, self.place(function, writer), f"kept in {store}")
            return
        if function != HUB and (entry.function == HUB or edge.how == "assigned"):
            yield Step(
                StepRole.KEPT, self.place(function, edge.fact.value), f"kept in {self._carrier(function, edge)}"
            )
        if entry.function == HUB:
            return
        there = self.place(entry.function, entry.value)
        if edge.how in {"call", "tool"}:
            name = program.functions[entry.function].name
            call = passing_call(self.engine, function, entry, edge.fact)
            passed = self.place(*call) if call is not None else self.place(function, edge.fact.value)
            yield Step(StepRole.PASSED, passed, f"passed to {name}()")
        elif edge.how == "return":
            yield Step(StepRole.PASSED, there, f"returned by {program.functions[function].name}()")
        elif edge.how == "changed":
            name = program.functions[entry.function].names.get(entry.value, "")
            name = name or spelled(self.engine.graph, entry.function, entry.value) or "an argument"
            yield Step(StepRole.KEPT, there, f"kept in {name}")
        else:
            carrier = self._store_read(seed, entry) or spelled(self.engine.graph, entry.function, entry.value)
            yield Step(StepRole.READ, there, f"read from {carrier or edge.carrier}")

    def _store_read(self, seed: Seed, entry: Seed) -> str:
        cell = self._cells[seed.value] if seed.function == HUB else None
        if cell is None or cell.kind != "store":
            return ""
        return read_from(self.engine, (cell.owner, int(cell.name)), entry[:2])

    def _carrier(self, function: int, edge: Edge) -> str:
        if edge.how == "state":
            return f'state["{edge.carrier}"]'
        op = self.engine.program.op(function, edge.fact.value)
        if op[0] in {SET_ATTR, SET_ITEM, OUT}:
            written = field_of(self.engine.graph, function, edge.fact.value)
            if edge.carrier in written:
                return written
        if edge.seed.function != HUB:
            return edge.carrier
        # Any read will do for a name: all of them read this carrier.
        readers = self.engine.regions[edge.seed].edges
        first = next((reader.seed for reader in readers), None)
        return (first and spelled(self.engine.graph, first.function, first.value)) or edge.carrier


def _without_requests(steps: list[Step]) -> Iterator[Step]:
    """Drop what is put under a name after the last carrier: that is the request to the summarizer."""
    last = max((index for index, step in enumerate(steps) if step.role in _AT_CARRIERS), default=-1)
    return (step for index, step in enumerate(steps) if index < last or not step.note.startswith(_PUT))


def _without_repeats(steps: Iterable[Step]) -> Iterator[Step]:
    """Drop steps that tell the same place in the same role twice in a row, and what is kept twice by one line."""
    previous: tuple[object, ...] = ()
    for step in steps:
        current = (step.role, _line(step) if step.role is StepRole.KEPT else step.place)
        if current != previous:
            yield step
        previous = current


def _is_named(path: Path) -> bool:
    return bool(path) and path[0] not in {"", ANY, IN_LIST} and not path[0].isdigit()


def _line(step: Step) -> tuple[str, int]:
    return step.place.path, step.place.line


def _doubles_back(steps: Iterable[Step]) -> bool:
    """The way goes through one place twice in the same role: a shorter one without the detour is told already."""
    places = [(step.role, step.place) for step in steps if step.role in _AT_CARRIERS]
    return len(places) != len(set(places))
