"""What is still to be followed, in turns: a text that goes everywhere does not use up the steps of all others.

turns.add(2, seed, fact)       the text of the second site
for seed, fact in turns: ...   some of the first site's, some of the second's, and so on; what waits longest first
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxlint.taint.facts import Fact
    from ctxlint.taint.regions import Seed

_TURN = 64
"""Steps that are spent on the text of one site before it is the next one's turn."""


class Turns:
    """The facts that wait to be followed, by the site whose text they are about (the one that got there first)."""

    def __init__(self) -> None:
        self._waiting: dict[int, deque[tuple[Seed, Fact]]] = {}

    def add(self, source: int, seed: Seed, fact: Fact) -> None:
        """Let a fact wait for its turn."""
        self._waiting.setdefault(source, deque()).append((seed, fact))

    def __iter__(self) -> Iterator[tuple[Seed, Fact]]:
        """All that waits, and all that is added meanwhile."""
        while self._waiting:
            for source in list(self._waiting):
                queue = self._waiting[source]
                for _ in range(min(_TURN, len(queue))):
                    yield queue.popleft()
                if not queue:
                    del self._waiting[source]
