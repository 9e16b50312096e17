"""From when on a change of an object is seen: behind it, and in the next round of a loop around it.

    show(state.notes)              not yet
    state.notes.append(memo)       from here on `state` holds the memo
    show(state.notes)              now

Values are numbered as they stand in the code, so that a span of them is a part of the function.
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.ir import FunctionIR
from ctxlint.taint.facts import Fact, around, loop_of
from ctxlint.taint.regions import Span


def lasting(function: FunctionIR, changed: Fact) -> Iterator[tuple[Span, int]]:
    """Where in the function a change is seen, and in which round the text is there."""
    here = changed.value
    yield (here + 1, len(function.ops)), changed.round
    loop = loop_of(function, here)
    while loop:
        around_it = function.loops[loop]
        yield (around_it.start, here), around(function, loop, changed.round)
        loop = around_it.parent


def outermost(function: FunctionIR, here: int) -> Span:
    """Where in the function a change is seen in some round of the loops around it."""
    first = [span for span, _ in lasting(function, Fact(here, ()))][-1]
    return min(first[0], here + 1), len(function.ops)


def widened(spans: dict[Fact, Span], fact: Fact, span: Span | None) -> bool:
    """A fact that is known for a span holds for another one, too: whether that says more about it."""
    known = spans[fact]
    if span is None:
        del spans[fact]
        return True
    spans[fact] = min(known[0], span[0]), max(known[1], span[1])
    return spans[fact] != known
