"""Markers that exist: what the code already writes next to a summary, whether or not some test reads it.

{"role": "system", "content": text, "is_summary": True}     is_summary=True
Note(kind="summary", text=text)                             has kind="summary"
SummaryMessage(text)                                        is a SummaryMessage
"[Earlier summary] " + text                                 starts with "[Earlier summary]"
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from typing import NamedTuple

from ctxlint.ir.ops import BUILD, CALL, CONCAT, CONST, FORMAT
from ctxlint.taint.engine import Engine
from ctxlint.taint.flows import Way, local
from ctxlint.taint.marks import siblings, written
from ctxlint.taint.names import words_of
from ctxlint.taint.regions import HUB
from ctxlint.taint.tested import KIND

_LONGEST = 40


class Found(NamedTuple):
    """A marker, as "what ..." goes on, and the value that holds it. The lowest `rank` marks most plainly."""

    rank: int
    text: str
    function: int
    value: int


def marker_of(engine: Engine, way: Way) -> Found | None:
    """The plainest marker that is written next to the text on a way."""
    return min(_all(engine, way), key=lambda found: found.rank, default=None)


def _all(engine: Engine, way: Way) -> Iterator[Found]:
    for hop in way.hops:
        if hop.seed.function == HUB:
            continue
        function = hop.seed.function
        last = way.last if hop.edge is None else hop.edge.fact
        for before, fact in pairwise(local(engine, hop.seed, last)):
            kind = engine.program.op(function, fact.value)[0]
            if kind in {BUILD, CALL}:
                yield from _beside(engine, function, before.value, fact.value)
            elif kind in {CONCAT, FORMAT} and not before.path:
                yield from _in_front(engine, function, before.value, fact.value)


def _beside(engine: Engine, function: int, value: int, holder: int) -> Iterator[Found]:
    for key, mark in siblings(engine.graph, function, value, holder).items():
        if key == KIND:
            if _speaks(engine, str(mark)):
                yield Found(1, f"is {_article(str(mark))} {mark}", function, holder)
        elif mark is True:
            yield Found(0 if _speaks(engine, key) else 3, f"has {key}=True", function, holder)
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


def _speaks(engine: Engine, text: str) -> bool:
    return bool(words_of(text) & engine.graph.models.words.around)


def _article(name: str) -> str:
    return "an" if name[:1] in "AEIO" else "a"
