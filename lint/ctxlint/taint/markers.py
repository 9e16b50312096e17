"""Markers that exist: what the code already writes next to a summary, whether or not some test reads it.

{"role": "system", "content": text, "is_summary": True}     is_summary=True
Note(kind="summary", text=text)                             has kind="summary"
SummaryMessage(text)                                        is a SummaryMessage
"[Earlier summary] " + text                                 starts with "[Earlier summary]"

Only the object that the site reads its input from can be left out by its marker: it has to get into the carrier
whole, and not around the list of what is read.

SummaryResult(messages=[note, *turns])      says nothing of `note`
turns.append(SummaryResult(text).text)      nor of what was taken out of it
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ctxlint.ir.ops import ANY, ATTR, BUILD, CALL, CONCAT, CONST, FORMAT, IN_LIST, ITEM
from ctxlint.taint.carrying import Carrier, carrier_of
from ctxlint.taint.engine import Engine
from ctxlint.taint.facts import Fact, Path
from ctxlint.taint.flows import Way, local
from ctxlint.taint.marks import siblings, written
from ctxlint.taint.names import words_of
from ctxlint.taint.regions import HUB
from ctxlint.taint.tested import KIND

_LONGEST = 40
_TAKES = frozenset({ATTR, ITEM})
_MELTS = frozenset({CONCAT, FORMAT})


class Found(NamedTuple):
    """A marker, as "what ..." goes on, and the value that holds it. The lowest `rank` marks most plainly."""

    rank: int
    text: str
    function: int
    value: int


class _Held(NamedTuple):
    """The markers of one object; the text is `below` it by so many fields, -1 for what the text starts with."""

    below: int
    found: tuple[Found, ...]


def marker_of(engine: Engine, way: Way) -> Found | None:
    """The plainest marker of what the carrier of a way holds."""
    held: list[_Held] = []
    stored: Path = ()
    carrier = carrier_of(engine, way)
    for function, before, fact in _until(engine, way, carrier):
        stored = fact.path
        if function == HUB or before is None:
            held = [one for one in held if len(fact.path) >= one.below]
            continue
        kind = engine.program.op(function, fact.value)[0]
        held = [one for one in held if not _opened(one, kind, before, fact)]
        if kind in {BUILD, CALL}:
            found = tuple(_beside(engine, function, before.value, fact.value))
            held.extend([_Held(len(fact.path), found)] if found else [])
        elif kind in _MELTS and not before.path:
            found = tuple(_in_front(engine, function, before.value, fact.value))
            held.extend([_Held(-1, found)] if found else [])
    marking = [found for one in held if _is_read(one, stored, carrier) for found in one.found]
    return min(marking, key=lambda found: found.rank, default=None)


def _until(engine: Engine, way: Way, carrier: Carrier) -> Iterator[tuple[int, Fact | None, Fact]]:
    """The facts of a way up to the carrier, each with the one before it in its function (None for an entry)."""
    last_kept = max((index for index, hop in enumerate(way.hops) if hop.seed.function == HUB), default=-1)
    for index, hop in enumerate(way.hops):
        seed = hop.seed
        entry = Fact(seed.value, seed.path, seed.mark)
        yield seed.function, None, entry
        if index == last_kept:
            return
        if seed.function == HUB:
            continue
        last = way.last if hop.edge is None else hop.edge.fact
        for before, fact in pairwise(local(engine, seed, last)):
            yield seed.function, before, fact
            if last_kept < 0 and (seed.function, before.value) == (carrier.function, carrier.value):
                return


def _opened(one: _Held, kind: int, before: Fact, fact: Fact) -> bool:
    """The object is taken apart, or becomes part of a text."""
    if one.below < 0:
        return False
    apart = kind in _TAKES and len(before.path) <= one.below
    return apart or (kind in _MELTS and len(before.path) <= one.below) or len(fact.path) < one.below


def _is_read(one: _Held, stored: Path, carrier: Carrier) -> bool:
    """The carrier holds the object as one of those that are read."""
    around, inside = stored[: len(stored) - max(one.below, 0)], stored[len(stored) - max(one.below, 0) :]
    return IN_LIST in around if carrier.collection else IN_LIST not in inside


def _beside(engine: Engine, function: int, value: int, holder: int) -> Iterator[Found]:
    op = engine.program.op(function, holder)
    if op[0] == BUILD and any(held == value and not _is_field(name) for name, held in op[1]):
        return  # a place in a tuple or list: what stands next to it is another thing
    if op[0] == CALL and op[2] == value:
        return  # what a method of the text is told
    for key, mark in siblings(engine.graph, function, value, holder).items():
        if key == KIND:
            if _speaks(engine, str(mark)):
                yield Found(1, f"is {_article(str(mark))} {mark}", function, holder)
        elif not _is_field(key):
            continue
        elif mark is True:
            # `hidden=True` may stand next to originals as well.
            if _speaks(engine, key):
                yield Found(0, f"has {key}=True", function, holder)
        elif isinstance(mark, str) and _speaks(engine, mark):
            named = mark.removeprefix("$") if mark.startswith("$") else f'"{mark[:_LONGEST]}"'
            yield Found(2, f"has {key}={named}", function, holder)


def _in_front(engine: Engine, function: int, value: int, holder: int) -> Iterator[Found]:
    first = engine.program.op(function, holder)[1][0]
    text = written(engine.graph, function, first) if first != value else None
    if not isinstance(text, str) or not _speaks(engine, text) or len(text) > _LONGEST * 2:
        return
    if engine.program.op(function, first)[0] == CONST or text.startswith("$"):
        shown = text.removeprefix("$") if text.startswith("$") else f'"{text.strip()[:_LONGEST]}"'
        yield Found(4, f"starts with {shown}", function, holder)


def _is_field(name: str) -> bool:
    return name not in {"", ANY, IN_LIST} and not name.isdigit()


def _speaks(engine: Engine, text: str) -> bool:
    return bool(words_of(text) & engine.graph.models.words.around)


def _article(name: str) -> str:
    return "an" if name[:1] in "AEIO" else "a"
