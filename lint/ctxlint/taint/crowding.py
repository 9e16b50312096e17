"""Few ways for each value: what a value is in already in a way that says less needs no second one.

turns, with text at [] and nothing known of it      what is told of it besides leads no further
turns, with text that was put there at 0, at 1, ..  two places are told apart; from then on it is somewhere in there
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ctxlint.taint.facts import Fact
from ctxlint.taint.positions import forget
from ctxlint.taint.regions import Region, Seed
from ctxlint.taint.switches import told_apart

PLACED = 2
"""How many places in one list are told apart, in one value, and as the text that enters a function."""


def entry_of(seed: Seed) -> tuple[object, ...]:
    """What is crowded by too many paths and marks: a seed without them."""
    return (*seed[:2], *seed[4:], told_apart(seed.mark))


def as_entered(ways: Mapping[tuple[object, ...], int], entry: Seed) -> Seed:
    """The entry that a call comes to, given the number of `ways` into each."""
    return entry._replace(mark=forget(entry.mark)) if ways.get(entry_of(entry), 0) >= PLACED else entry


def settled(region: Region, ways: Sequence[Fact], fact: Fact) -> Fact | None:
    """The fact that a new one about a value comes to, None when the `ways` that are known say as much."""
    _, path, mark, number = fact
    if not mark:
        return fact
    alike = [other for other in ways if other.path == path and other.round == number]
    if not alike:
        return fact
    spans = region.spans
    pairs = frozenset(mark)
    if any(pairs.issuperset(other.mark) and other not in spans for other in alike):
        return None
    plain = forget(mark)
    if len(plain) != len(mark) and sum(forget(other.mark) == plain for other in alike) >= PLACED:
        return settled(region, ways, fact._replace(mark=plain))
    return fact
