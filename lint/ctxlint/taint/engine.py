"""The worklist: from the result of every summarizer site forward, until nothing new follows.

    site (fold, 7)   seed fold/7 ()  ->  fact 7 ()  ->  kept in ("field", Memory, "buffer")
                     seed save/4 () later  ->  fact 4 ()  ->  call of fold, argument 1
                     seed fold/2 () later  ->  fact 6 ()  ->  sink (fold, 7): it comes back, in a later round

In turns, first in, first out, and every table in order of insertion: the same files give the same answer on any run.
"""

from __future__ import annotations

from collections.abc import Iterable

from ctxlint.ir.breath import breathe
from ctxlint.ir.ops import (
    ATTR,
    CALL,
    OUT,
    PHI,
    SET_ATTR,
    SET_CAPTURE,
    SET_GLOBAL,
    SET_ITEM,
    Op,
)
from ctxlint.taint import crowding, positions
from ctxlint.taint.abreast import Abreast
from ctxlint.taint.accepting import Accepting
from ctxlint.taint.asked import Asked
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.captured import comes_around
from ctxlint.taint.deadends import DeadEnds
from ctxlint.taint.dispatch import narrower
from ctxlint.taint.ends import Ends
from ctxlint.taint.escape import escape
from ctxlint.taint.facts import LATER, Fact, Path, loop_of, put
from ctxlint.taint.files import Files
from ctxlint.taint.fresh import Fresh
from ctxlint.taint.heap import Cell, Heap
from ctxlint.taint.homes import Homes
from ctxlint.taint.lasting import lasting, widened
from ctxlint.taint.lockers import Lockers
from ctxlint.taint.outside import Outside
from ctxlint.taint.processors import comes_back
from ctxlint.taint.putaway import PutAway
from ctxlint.taint.readers import Readers
from ctxlint.taint.regions import HUB, Edge, Exit, Region, Seed, Sink, Span
from ctxlint.taint.remembering import MEMORY, Remembering
from ctxlint.taint.sites import SiteFinder
from ctxlint.taint.sorts import Sorts
from ctxlint.taint.steps import STEPS
from ctxlint.taint.stores import Stores
from ctxlint.taint.switches import anywhere
from ctxlint.taint.through import again, enter, leave_calls, leave_to
from ctxlint.taint.tools import written_by
from ctxlint.taint.turns import Turns
from ctxlint.taint.unset import found_empty, kept_once
from ctxlint.taint.updates import update_state

_HANDS_ON = frozenset({OUT, SET_GLOBAL, SET_CAPTURE})
_MAX_STEPS = 64_000
_MAX_WAYS = 6
"""Ways in which text may be in one value (paths and marks): those that were found first, by the shortest ways."""
_MAX_HOPS = 20
"""Functions and carriers between the two ends: who would follow a longer path has better things to do."""


class Engine:
    """The state of one solution."""

    def __init__(self, graph: CallGraph, sites: Iterable[tuple[int, int]], finder: SiteFinder) -> None:
        self.graph = graph
        self.program = graph.program
        self.heap = Heap(graph)
        self._fresh = Fresh(graph)
        self.files = Files(graph)
        self.abreast = Abreast(graph)
        self.stores = Stores(graph, self.files, self.abreast)
        self.sites = frozenset(sites)
        self.asked = Asked(graph, self.sites)
        self.silent = frozenset(finder.silent)
        self.plain = frozenset(finder.plain)
        self.regions: dict[Seed, Region] = {}
        self.readers = Readers(graph)
        self.homes = Homes(self)
        self.lockers = Lockers(graph, self.sites)
        self.outside = Outside(graph)
        self.put_away = PutAway(graph)
        self.mapped = graph.mapped
        self.numbers: dict[Cell, int] = {}
        self.steps = 0
        self.exhausted = False
        self.giving: list[Seed] = []
        """Where objects are being followed to that functions give to one another."""
        self._turns = Turns()
        self._near: tuple[Seed | None, Region] = None, Region(0, 0)
        """The region that was last worked on."""
        self._ends = Ends(graph.program)
        self._ways: dict[tuple[object, ...], int] = {}
        self.shelved: dict[tuple[int, int, tuple[object, ...], int, int], tuple[list[Seed], bool]] = {}
        """What stores do with a text: the carriers it is kept in, and whether that is all that the call does."""
        self.found: dict[tuple[int, tuple[int, Path], int], tuple[tuple[int, Path], ...]] = {}
        """The objects that may be the one that was taken out of a collection."""
        self.lists: dict[tuple[int, int, int], tuple[int, ...]] = {}
        """What `processors` found out: the parameters that the elements of a list come from."""
        self.earlier: dict[int, tuple[int, ...]] = {}
        """What `processors` found out: the parameters of a function that get what it returned before."""
        self.same: dict[tuple[int, int], tuple[int, ...]] = {}
        """What `escape` found out about values: those that are the same object."""
        self.recursive: dict[tuple[int, int], bool] = {}
        self._repeating = {name for name, higher in graph.models.flow.calls.items() if higher.again}
        self.accepting = Accepting(graph)
        self._dead = DeadEnds(self)
        self.sorts = Sorts(self)
        self.remembered: set[tuple[int, int]] = set()
        """The sites whose object remembers what it was asked before."""

    def run(self) -> None:
        """Follow the results of all sites."""
        holding = {function for function, _ in self.sites}
        for function, call in sorted(self.sites):
            site = Seed(function, call, ())
            self.region(site, 0, source=len(self.regions))
            for tool, value in written_by(self.graph, function, call, holding):
                self.connect(site, next(iter(self.regions[site].facts)), Seed(tool, value, (), free=False), "tool")
        self._remember()
        for seed, fact in self._turns:
            self.steps += 1
            if self.steps > _MAX_STEPS:
                self.exhausted = True
                return
            breathe()
            self._follow(seed, fact)

    def _remember(self) -> None:
        """Let the objects that keep their conversation carry what they were asked to the next time."""
        for site, holder, name in Remembering(self.graph).receivers(sorted(self.sites)):
            self.remembered.add(site)
            seed = Seed(*site, ())
            first = next(iter(self.regions[seed].facts))
            kept = first._replace(path=(MEMORY,))
            self.keep(seed, kept, self.heap.helper(site[0], holder, name), origin=first)
            op = self.program.op(site[0], holder)
            for cell in self.cells(seed, op[1], op[2]) if op[0] == ATTR else ():
                self.keep(seed, kept, cell, origin=first)

    def region(self, seed: Seed, depth: int, *, source: int) -> Region:
        """The region of a seed; a new one is put to work, unless it is too far from where the text was written."""
        known = self.regions.get(seed)
        if known is None:
            known = self.regions[seed] = Region(depth, source)
            self._near = seed, known
            if depth > _MAX_HOPS or self._crowded(seed):
                return known
            number = LATER if seed.later else loop_of(self.program.functions[seed.function], seed.value)
            self.add(seed, Fact(seed.value, seed.path, seed.mark, number), None)
        return known

    def as_entered(self, entry: Seed) -> Seed:
        """The entry that a call comes to: only the first few are told apart by where a list was filled."""
        return crowding.as_entered(self._ways, entry) if entry.mark and entry not in self.regions else entry

    def _crowded(self, seed: Seed) -> bool:
        entry = crowding.entry_of(seed)
        ways = self._ways[entry] = self._ways.get(entry, 0) + 1
        return ways > _MAX_WAYS

    def add(self, seed: Seed, fact: Fact, parent: Fact | None, *, span: Span | None = None) -> bool:
        """Note a fact of a region and what it follows from; with a span, it is so for the values of the span only.

        Returns:
            Whether the fact stands: a value that text is in in too many ways takes no more of them.
        """
        region = self._of(seed)
        facts = region.facts
        if fact not in facts:
            ways = region.ways.setdefault(fact.value, [])
            if ways:
                settled = crowding.settled(region, ways, fact)
                if settled is None or (settled is not fact and settled in facts):
                    return False
                fact = settled
                if len(ways) >= _MAX_WAYS:
                    return False
            ways.append(fact)
            facts[fact] = parent
            if span is not None:
                region.spans[fact] = span
        elif fact not in region.spans or not widened(region.spans, fact, span):
            return True
        # What is a dead end is known, for others to see, and not followed.
        if not self._dead.has(seed.function, fact.value, fact.path):
            self._turns.add(region.source, seed, fact)
        return True

    def _of(self, seed: Seed) -> Region:
        # Most steps are of the region that the last one was of, and all that a seed is made of is long to look up.
        near, region = self._near
        if near is not seed:
            region = self.regions[seed]
            self._near = seed, region
        return region

    def uses(self, function: int) -> dict[int, tuple[int, ...]]:
        """Who reads a value of a function."""
        return self.graph.uses(function)

    def outs(self, function: int) -> dict[int, tuple[tuple[int, int | str], ...]]:
        """For each call, the values that stand for its arguments afterwards, with their positions."""
        return self._ends.outs(function)

    # -- one fact --------------------------------------------------------------------------------------------

    def _follow(self, seed: Seed, fact: Fact) -> None:
        function = seed.function
        value, path, mark, number = fact
        ops = self.program.functions[function].ops
        region = self._of(seed)
        span = region.spans.get(fact) if region.spans else None
        for user, op, runs in self.readers.of(function, value, path):
            if span is not None and not span[0] <= user < span[1]:
                continue
            kind = op[0]
            if kind == PHI:  # one of three steps
                self.add(seed, Fact(user, path, mark, number), fact)
                continue
            if kind in _HANDS_ON:
                self._hand_on(seed, fact, user, op)
                continue
            if runs:
                enter(self, seed, fact, user)
                if kind != ATTR:
                    continue
            step = STEPS.get(kind)
            for new in step(self.graph, function, fact, user, op) if step is not None else ():
                stands = self.add(seed, new, fact)
                if stands and kind in {SET_ATTR, SET_ITEM} and op[3] == value:
                    escape(self, seed, new, fact)
        if value in self._ends.leaving(function) or (number != LATER and ops[value][0] == CALL):
            self._end(seed, fact)

    def _cleared(self, function: int, op: tuple[object, ...]) -> bool:
        call = op[2]
        if op[3] != "self" or not isinstance(call, int):
            return False
        return self.program.op(function, call)[3] in self.graph.models.flow.clears

    def _hand_on(self, seed: Seed, fact: Fact, user: int, op: Op) -> None:
        function = seed.function
        if op[0] == OUT:
            if op[1] == fact.value and not self._cleared(function, op):
                mark = positions.changed(fact.mark, self.program.op(function, op[2])) if fact.mark else fact.mark
                self.add(seed, Fact(user, fact.path, mark, fact.round), fact)
        elif op[0] == SET_GLOBAL:
            self.keep(seed, fact, Cell("global", self.program.module_of[function], op[1]))
        else:
            cell = Cell("captured", self.program.function_id(function, op[2]), op[1])
            self.capture(seed, fact, cell)

    def _end(self, seed: Seed, fact: Fact) -> None:
        function = seed.function
        own = self.program.functions[function]
        if fact.value in own.returns:
            self._return(seed, fact, fact.path)
        if fact.value in own.yields:
            self._return(seed, fact, fact.path if self.is_manager(function) else put("[]", fact.path))
        update_state(self, seed, fact)
        op = self.program.op(function, fact.value)
        if op[0] == CALL and fact.round != LATER and self.graph.name(function, fact.value) in self._repeating:
            again(self, seed, fact)
        name = self._ends.variables(function).get(fact.value)
        if name is not None:
            owner = own.owner
            cell = (
                Cell("global", self.program.module_of[function], name)
                if owner < 0
                else Cell("captured", function, name)
            )
            later = owner < 0 or fact.round < 0 or comes_around(self, cell, fact.value)
            if owner >= 0 and not seed.free:
                self.homes.enclose(seed, fact, cell, later=later)
            else:
                self.keep(seed, fact, cell, later=later)

    def is_manager(self, function: int) -> bool:
        """What the function yields is what a `with` statement gets, not an element."""
        return self._ends.is_manager(function)

    def assign(self, seed: Seed, cause: Fact, assignment: int) -> bool:
        """`box.memo = text` runs the setter of the property, where there is one."""
        setters = self.graph.setters(seed.function, assignment)
        for setter in setters:
            entry = Seed(setter, 2, cause.path, cause.mark, later=cause.round < 0)
            self.connect(seed, cause, entry, "call")
        return bool(setters)

    # -- between functions -----------------------------------------------------------------------------------

    def _return(self, seed: Seed, fact: Fact, path: Path) -> None:
        if self._ends.gives_none(seed.function):
            return
        self.leave(seed, fact, Exit(-1, path, fact.mark, fact.round == LATER))
        comes_back(self, seed, fact, path)
        if path and self.heap.is_node(seed.function):
            below = path[1:] if path[0] == "update" else path
            if below and below[0] not in {"[]", "*"} and not below[0].isdigit():
                cell = Cell("state", self.program.module_of[seed.function], below[0])
                self.keep(seed, fact._replace(path=below[1:]), cell, origin=fact)

    def leave(self, seed: Seed, fact: Fact, out: Exit) -> None:
        """Derived text leaves the function of a region."""
        region = self.regions[seed]
        if out in region.exits:
            return
        region.exits[out] = fact
        for caller, argument, call in list(region.waiting):
            leave_calls(self, (caller, argument, call), seed, out)
        for place in self.graph.callers(seed.function) if seed.free else ():
            if not self.homes.leave(seed, out, place):
                leave_to(self, (seed, fact), out, place)

    def cells(self, seed: Seed, base: int, name: str) -> tuple[Cell, ...]:
        """The cells behind `base.name`: of the actual class, where the region is about one."""
        mine = self.heap.is_self(seed.function, base)
        if mine and not seed.free and not seed.path and seed.value == 1:
            return ()  # this very object is an answer: what it does with itself says nothing about others
        if mine and seed.actual >= 0:
            return (Cell("field", seed.actual, name),)
        return self.heap.fields(seed.function, base, name)

    def is_kept(self, seed: Seed, fact: Fact) -> bool:
        """What the fact says is known to all who read the field: its object need not be followed any further."""
        if not fact.path or not fact.path[0].isidentifier():
            return False
        cells = self.cells(seed, fact.value, fact.path[0])
        hubs = [Seed(HUB, self.numbers.get(cell, -1), fact.path[1:], fact.mark, later=True) for cell in cells]
        return bool(hubs) and all(hub in self.regions for hub in hubs)

    def keep(self, seed: Seed, fact: Fact, cell: Cell, *, later: bool = True, origin: Fact | None = None) -> None:
        """Derived text is put in a carrier outside of the function: every read of it is an entry."""
        mark = anywhere(self.graph, fact.mark)
        if mark is None:
            return
        fact = fact._replace(mark=mark)
        how = "state" if cell.kind == "state" else "kept"
        once = kept_once(self.program, cell.owner, seed.function, fact.value) if cell.kind == "field" else ""
        mark = (*fact.mark, ("$once", once)) if once else fact.mark
        if cell.kind == "field" and self._fresh.starts_empty(seed.function, cell.name):
            mark = (*mark, ("$by", seed.function))
        held = self.abreast.kept(seed.held, cell, seed.function)
        hub = Seed(HUB, self.numbers.setdefault(cell, len(self.numbers)), fact.path, mark, later=later, held=held)
        self.regions[seed].edges[Edge(hub, origin or fact, how, cell.name)] = None
        if hub in self.regions:
            return
        # All who write the same into one carrier share what follows: a hub is a region without facts.
        self.regions[hub] = Region(self.regions[seed].depth, self.regions[seed].source)
        for function, value in self.heap.readers(cell):
            if not self.accepting.may_read(function, value, fact.path):
                continue
            if once and once in found_empty(self.program, function, self.program.op(function, value)[1]):
                continue
            if cell.kind == "field" and self._fresh.is_apart(seed.function, (function, value), cell.name):
                continue
            actual = narrower(self.program, cell.owner, function) if cell.kind == "field" else -1
            own = held >= 0 and self.heap.is_self(function, self.program.op(function, value)[1])
            inner = self.abreast.kept(held, cell, function) if own else -1
            entry = Seed(function, value, fact.path, fact.mark, later=later, actual=actual, held=inner)
            self.connect(hub, fact, entry, "read")
        holders = self.heap.holders(cell, inside=bool(fact.path))
        for function, base in (*holders, *self.asked.holders(cell)):
            entry = Seed(function, base, put(cell.name, fact.path), fact.mark, later=later)
            self.connect(hub, fact, entry, "read")

    def connect(self, seed: Seed, fact: Fact, entry: Seed, how: str, *, carrier: str = "") -> Region:
        """Note that a fact of one region leads to another region."""
        self.regions[seed].edges[Edge(entry, fact, how, carrier)] = None
        return self.region(entry, self.regions[seed].depth + 1, source=self.regions[seed].source)

    def capture(self, seed: Seed, fact: Fact, cell: Cell, *, origin: Fact | None = None) -> None:
        """A nested function assigns a variable of the function around it, which sees it from then on."""
        self.keep(seed, fact, cell, origin=origin)
        for function, value in self.heap.own_values(cell):
            entry = Seed(function, value, fact.path, fact.mark, later=True)
            self.connect(seed, origin or fact, entry, "assigned", carrier=cell.name)

    def sink(self, seed: Seed, fact: Fact, site: tuple[int, int]) -> None:
        """Derived text reaches a summarizer site."""
        if anywhere(self.graph, fact.mark) is None:
            return
        self.regions[seed].sinks[Sink(site, fact)] = None

    def changed(self, seed: Seed, fact: Fact, new: Fact, *, at: int = 0) -> None:
        """The object that a value of this region holds has derived text in it from now on, or from the call `at`."""
        if at > new.value:
            spans = lasting(self.program.functions[seed.function], new._replace(value=at))
            stands = [self.add(seed, new._replace(round=number), fact, span=span) for span, number in spans]
        else:
            stands = [self.add(seed, new, fact)]
        if any(stands):
            escape(self, seed, new, fact)
