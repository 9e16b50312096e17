"""Sorts of calls: what a call does with any text that it gets, as far as that is the same for every text.

llm.invoke(prompt)          the answer is no summary, and nothing else comes of it: ignored
db.execute(INSERT, note)    runs a statement: the store tells all
render(note)                nobody can look into it: the text is in the result
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ctxlint.ir.ops import CALL
from ctxlint.taint.dispatch import is_open
from ctxlint.taint.unknown import gives_vectors

if TYPE_CHECKING:
    from ctxlint.taint.engine import Engine


class Sort(NamedTuple):
    """What is known of a call before a text gets to it."""

    ignored: bool
    """Nothing comes of what it gets."""
    shelves: bool
    """It may put something in a store or a file."""
    receiver: int | None
    """Of a call that runs a statement, which says all that becomes of other values; None for another call."""
    passes: bool
    """Nobody can look into it, and it is not known to keep things for itself."""


_IGNORED = Sort(ignored=True, shelves=False, receiver=None, passes=False)
_OPERATOR = Sort(ignored=False, shelves=False, receiver=None, passes=False)


class Sorts:
    """Tells the sorts of the calls of a program."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._known: dict[tuple[int, int], Sort] = {}

    def of(self, key: tuple[int, int]) -> Sort:
        """The sort of a call, or of another operation that runs a function."""
        known = self._known.get(key)
        if known is None:
            known = self._known[key] = self._find(key)
        return known

    def _find(self, key: tuple[int, int]) -> Sort:
        engine, (function, call) = self._engine, key
        op = engine.program.op(function, call)
        if op[0] != CALL:
            return _OPERATOR
        if key in engine.plain or gives_vectors(engine.graph.name(function, call)):
            return _IGNORED
        run = engine.stores.call(function, call)
        shelves = (run is not None and run.deed.writes) or engine.files.writes(function, call) is not None
        shelves = shelves or engine.mapped.written(function, call) >= 0 or bool(engine.mapped.added(function, call))
        opened = not engine.graph.targets(function, call) or is_open(engine.graph, function, call)
        return Sort(
            ignored=False,
            shelves=shelves,
            receiver=op[2] if run is not None and run.sql else None,
            passes=key not in engine.silent and opened,
        )
