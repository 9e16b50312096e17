"""Through calls: into the functions that a call may run, out of them again, or past calls nobody can look into.

t = wrap(llm, text)     with a fact about `text`: seed wrap/2 (), and its exits become facts about `t`
note(turns, text)       with an exit (0, ("[]",)): a fact about `turns` after the call
llm.invoke(prompt)      a summarizer site: a sink; a call of a model that is no site lets nothing through
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ctxlint.ir.ops import ELEMENT, IN_LIST, PARAM, SLICE, Op
from ctxlint.taint import positions, unknown
from ctxlint.taint.checks import refuses
from ctxlint.taint.constructing import given_as, sets_fields
from ctxlint.taint.dispatch import inward, outward
from ctxlint.taint.errands import ran
from ctxlint.taint.facts import LATER, Fact, Mark, Path, element, put
from ctxlint.taint.inputs import is_input
from ctxlint.taint.lasting import outermost
from ctxlint.taint.lockers import still
from ctxlint.taint.marks import extend, written
from ctxlint.taint.names import split
from ctxlint.taint.passing import Passed
from ctxlint.taint.passing import inward as inner_path
from ctxlint.taint.passing import outward as outer_path
from ctxlint.taint.prompts import is_told
from ctxlint.taint.reaching import is_closed
from ctxlint.taint.regions import Exit, Seed
from ctxlint.taint.shelving import shelve
from ctxlint.taint.steps import holds_text
from ctxlint.taint.switches import settle
from ctxlint.taint.target import Target
from ctxlint.taint.tested import KIND

if TYPE_CHECKING:
    from ctxlint.taint.engine import Engine

_RECURSION_DEPTH = 3
_NUMBERS = frozenset({"bool", "float", "int", "None"})
_KEYS = frozenset({"id", "ids", "uuid"})


class Passage(NamedTuple):
    """A fact of a region at a call."""

    seed: Seed
    fact: Fact
    call: int


def enter(engine: Engine, seed: Seed, fact: Fact, call: int) -> None:
    """A call has a fact's value as receiver or argument."""
    function = seed.function
    if is_closed(engine.program, function, call, fact.mark):
        return
    key = (function, call)
    if key in engine.sites:
        op = engine.program.op(function, call)
        if is_input(engine.graph, function, fact, call) and (fact.value == op[2] or not _describes(op, fact.value)):
            engine.sink(seed, fact, key)
        return
    if _past(engine, seed, fact, call):
        return
    for target, links in engine.graph.links(function, call):
        for link in links:
            if link.value == fact.value:
                _into(engine, Passage(seed, fact, call), target, link)
        if target.higher is None or target.higher.returns != "argument":
            continue
        if not (fact.path and refuses(engine.graph, target.function, dict(fact.mark))):
            engine.add(seed, fact._replace(value=call), fact)


def _describes(op: Op, value: int) -> bool:
    """What is handed over under `tools=` says what may be called, whatever the tools hold: it is no context."""
    names = [name for name, held in op[5] if held == value]
    return bool(names) and value not in op[4] and not any(map(is_told, names))


def _past(engine: Engine, seed: Seed, fact: Fact, call: int) -> bool:
    """Follow the text past a call, into stores and results; whether that is all that the call does with it."""
    sort = engine.sorts.of((seed.function, call))
    if sort.ignored:
        return True
    stored = sort.shelves and shelve(engine, seed, fact, call)
    if sort.receiver is not None and fact.value != sort.receiver:
        return True
    if sort.passes:
        _pass(engine, seed, fact, call, stored=stored)
    return False


def again(engine: Engine, seed: Seed, fact: Fact) -> None:
    """A call hands what its function gave to the next call of it: `reduce(fold, parts)`."""
    for target in engine.graph.targets(seed.function, fact.value):
        if target.higher is not None and target.higher.again:
            link = Passed(fact.value, target.given + (1 if target.bound else 0), "")
            _into(engine, Passage(seed, fact._replace(round=LATER), fact.value), target, link)


def _into(engine: Engine, passage: Passage, target: Target, link: Passed) -> None:
    seed, fact, call = passage
    path = inner_path(link, fact.path)
    if path == () and _holds_none(engine, target.function, link.parameter):
        return
    value = _parameter(engine, target.function, link.parameter)
    if path is None or value < 0 or not engine.accepting.may_read(target.function, value, path):
        return
    actual = inward(engine.graph, engine.heap, seed, call, target)
    if actual is None or engine.is_kept(seed, fact):
        return
    later = fact.round < 0 or _recursive(engine, seed.function, target.function)
    own = target.receiver >= 0 and engine.heap.is_self(seed.function, target.receiver)
    held = engine.abreast.inward(seed, target, own=own)
    mark = engine.lockers.given(fact.mark, (seed.function, call), target)
    entry = Seed(target.function, value, path, mark, later=later, free=False, actual=actual, held=held)
    entry = engine.as_entered(entry)
    region = engine.connect(seed, fact, entry, "call")
    if passage not in region.waiting:
        region.waiting[passage] = None
        for out in list(region.exits):
            leave_calls(engine, passage, entry, out)


def _holds_none(engine: Engine, function: int, position: int) -> bool:
    """The parameter is called after something that is no text; what a key leads to may be one, and tokens are.

    What is declared to be a number or a truth value is none either: `run(*args)` fills whatever comes first.
    """
    parameter = engine.program.functions[function].parameters[position]
    kinds = parameter.annotation.split()
    if kinds and _NUMBERS.issuperset(kinds):
        return True
    name = parameter.name
    words = split(name)
    return not holds_text(engine.graph, name) and _KEYS.isdisjoint(words[-1:]) and words != ("tokens",)


def _parameter(engine: Engine, function: int, position: int) -> int:
    op = (
        engine.program.op(function, position + 1)
        if len(engine.program.functions[function].ops) > position + 1
        else ()
    )
    return position + 1 if op[:2] == (PARAM, position) else -1


def _recursive(engine: Engine, caller: int, callee: int) -> bool:
    """The callee may call the caller again: what is passed is from an earlier round of the recursion."""
    known = engine.recursive.get((caller, callee))
    if known is None:
        known = engine.recursive[caller, callee] = _calls_back(engine, caller, callee)
    return known


def _calls_back(engine: Engine, caller: int, callee: int) -> bool:
    level: set[int] = {caller}
    for depth in range(_RECURSION_DEPTH):
        if callee in level:
            return True
        if depth + 1 < _RECURSION_DEPTH:
            level = {function for known in level for function, _ in engine.graph.callers(known)}
    return False


def leave_calls(engine: Engine, passage: tuple[Seed, Fact, int], entry: Seed, out: Exit) -> None:
    """Let an exit of a function be seen at the call through which the text came in.

    What a call gives that ends in a model is the answer: a text that went in and comes out bare took a way that the
    program does not take, or one past a client that nobody knows.
    """
    seed, fact, call = passage
    key = (seed.function, call)
    if out.parameter < 0 and (key in engine.sites or (not out.path and key in engine.silent)):
        return
    number = LATER if out.later and not entry.later else fact.round
    for target in engine.graph.targets(seed.function, call):
        if target.function != entry.function:
            continue
        settled = settle(engine.graph, out.mark, (seed.function, call), target)
        if settled is not None:
            mark = still(fact.mark, _made(engine, passage, target, out._replace(mark=settled)))
            shown = given_as(engine, passage, target, out)
            for value, path in places(engine, seed.function, call, target, shown):
                if out.parameter >= 0:
                    engine.changed(seed, fact, Fact(value, path, mark, fact.round), at=call)
                else:
                    engine.add(seed, Fact(value, path, mark, number), fact)


def leave_to(engine: Engine, inner: tuple[Seed, Fact], out: Exit, caller: tuple[int, int]) -> None:
    """Let an exit of a function be seen at any call of it: the text did not come in through one."""
    seed, fact = inner
    function, call = caller
    if (caller in engine.sites and out.parameter < 0) or (
        out.mark and engine.stores.narrows(function, call, out.mark)
    ):
        return
    for target in engine.graph.targets(function, call):
        same = target.function == seed.function
        settled = settle(engine.graph, out.mark, caller, target) if same else None
        actual = outward(engine.graph, engine.heap, seed, function, target) if settled is not None else None
        if actual is None or settled is None:
            continue
        settled = ran(engine.graph, settled, caller, seed.function) if out.parameter < 0 else settled
        own = seed.held >= 0 and target.receiver >= 0 and engine.heap.is_self(function, target.receiver)
        held = engine.abreast.outward(seed, function, target, own=own)
        if held is None:
            continue
        for value, path in places(engine, function, call, target, out):
            if out.parameter < 0 and not engine.accepting.may_read(function, value, path):
                continue
            home = engine.homes.kept(seed, function)
            made = Seed(function, value, path, settled, later=out.later, actual=actual, home=home, held=held)
            if out.parameter < 0:
                engine.connect(seed, fact, made, "return")
                continue
            fresh = made not in engine.regions
            region = engine.connect(seed, fact, made, "changed")
            for first in list(region.facts)[:1]:
                if fresh and call > value:
                    region.spans[first] = outermost(engine.program.functions[function], call)
                engine.changed(made, first, first, at=call)


def _made(engine: Engine, passage: tuple[Seed, Fact, int], target: Target, out: Exit) -> Mark:
    """What stands next to the text when it leaves a function: a constructor's object has its class and its fields."""
    if target.made < 0 or out.parameter != 0:
        return out.mark
    seed, fact, call = passage
    graph, program = engine.graph, engine.program
    pairs: dict[str, object] = dict(graph.fieldings.constants(target.made))
    for value, position in graph.passes(seed.function, call, target):
        text = written(graph, seed.function, value) if value != fact.value else None
        name = program.functions[target.function].parameters[position].name
        pairs.pop(name, None)
        if text is not None:
            pairs[name] = text
    return extend(out.mark, pairs | {KIND: program.classes[target.made].name}, graph.tested)


def places(engine: Engine, function: int, call: int, target: Target, out: Exit) -> list[tuple[int, Path]]:
    """The values of the caller that an exit is about."""
    if out.parameter < 0:
        if target.made >= 0:
            return []
        kind = engine.program.op(function, call)[0]
        if kind == ELEMENT:
            below = element(out.path)
            return [] if below is None else [(call, below)]
        if kind == SLICE and out.path[:1] != (IN_LIST,):
            return [(call, put(IN_LIST, out.path))]  # `self._turns[at]` gives a part where `at` is one
        many = target.elements and not (target.higher is not None and target.higher.again)
        if engine.program.op(function, call)[0] == SLICE and out.path[:1] != (IN_LIST,):
            many = True  # `history[2:]` is several of what `history[2]` is one of
        return [(call, put(IN_LIST, out.path) if many else out.path)]
    if target.made >= 0 and out.parameter == 0:
        return [(call, out.path)]
    places: list[tuple[int, Path]] = []
    after = {position: value for value, position in engine.outs(function).get(call, ())}
    parameter = engine.program.functions[target.function].parameters[out.parameter]
    for link in engine.graph.passed(function, call, target):
        path = outer_path(link, out.path, parameter) if link.parameter == out.parameter else None
        if path is not None:
            places.append((after.get(link.place, link.value), path))
    return places


def _pass(engine: Engine, seed: Seed, fact: Fact, call: int, *, stored: bool) -> None:
    function = seed.function
    if stored:
        # What a store gives back for a record is that record, or its key.
        engine.add(seed, fact._replace(value=call), fact)
        return
    if sets_fields(engine, seed, fact, call):
        return
    for new in unknown.results(engine.graph, function, fact, call):
        engine.add(seed, new, fact)
    op = engine.program.op(function, call)
    if engine.graph.name(function, call) in engine.graph.models.flow.fills and op[4][1:2] == (fact.value,):
        filled = Fact(op[4][0], put(IN_LIST, fact.path), fact.mark, fact.round)
        engine.changed(seed, fact, filled, at=call)
        return
    if op[1] >= 0:
        return
    path = unknown.effect(engine.graph, function, fact, call)
    if path is None:
        return
    for value, position in engine.outs(function).get(call, ()):
        if position == "self":
            mark = (
                positions.added(engine.graph, function, fact.mark, call, value)
                if path[:1] == (IN_LIST,)
                else fact.mark
            )
            engine.changed(seed, fact, Fact(value, path, mark, fact.round))
