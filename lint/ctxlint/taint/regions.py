"""Regions: what one entry of derived text into a function reaches there.

A seed is such an entry: the result of a summarizer site, a parameter, a read of a field, the result of a call. Its
region holds every fact that follows inside the function, each with the fact it follows from, so that a path can be
told. Regions are shared: two sources that enter a function in the same way use the same one. A function's summary is
the list of exits of its parameter's region; whoever called gets each exit once, also those found later.
"""

from __future__ import annotations

from typing import NamedTuple

from ctxlint.taint.facts import Fact, Mark, Path

Span = tuple[int, int]
"""The values from the first up to the second."""

HUB = -1
"""The function of a seed that stands for a carrier and not for a value: `value` is then the carrier's number."""


class Seed(NamedTuple):
    """An entry of derived text into a function.

    `free` seeds did not come through a parameter: what they return goes to every caller. A seed is `later` when the
    text is from an earlier round of something outside of this function. `actual` is the class of the object whose
    method this is, where that is known to be a subclass; else -1. `home` is the number of the seed whose call of the
    function around captured the text, -1 for none: what comes of it goes back into that call only. `held` is
    the number of the object whose method this is, where it is known as the only one in a field of another.
    """

    function: int
    value: int
    path: Path
    mark: Mark = ()
    later: bool = False
    free: bool = True
    actual: int = -1
    home: int = -1
    held: int = -1


class Exit(NamedTuple):
    """Derived text that leaves a function: through its result (`parameter` -1) or inside of a parameter's object."""

    parameter: int
    path: Path
    mark: Mark
    later: bool


class Edge(NamedTuple):
    """From a fact of one region to the seed of another: `how` is a word for the reader.

    call, return, changed: between functions; kept, state: into a carrier; read: out of it; assigned: to a variable of
    the function around.
    """

    seed: Seed
    fact: Fact
    how: str
    carrier: str = ""


class Sink(NamedTuple):
    """Derived text that enters a summarizer site."""

    site: tuple[int, int]
    fact: Fact


class Region:
    """The facts that follow from one seed."""

    __slots__ = ("depth", "edges", "exits", "facts", "sinks", "source", "spans", "waiting", "ways")

    def __init__(self, depth: int, source: int) -> None:
        self.depth = depth
        self.source = source
        """The number of the site whose text came here first."""
        self.facts: dict[Fact, Fact | None] = {}
        self.edges: dict[Edge, None] = {}
        self.sinks: dict[Sink, None] = {}
        self.spans: dict[Fact, Span] = {}
        """Where a fact holds that does not hold in all of the function: the object was changed on the way."""
        self.ways: dict[int, list[Fact]] = {}
        """The facts about each value."""
        self.exits: dict[Exit, Fact] = {}
        self.waiting: dict[tuple[Seed, Fact, int], None] = {}
        """Who called with this entry: their seed, their fact, their call."""
