"""Who reads all fields of an object at once, whatever they are named.

asdict(node)             of a dataclass or attrs class
vars(self)               of any object
state.model_dump()       of a class whose base nobody can look into

What a class keeps in a field is known to those who read the field by its name; these read it, too.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from typing import Final

from ctxlint.taint.callgraph import CallGraph

_FUNCTIONS: Final = ("asdict", "astuple", "vars")
_METHODS: Final = ("model_dump", "model_dump_json", "dict", "json")

Places = dict[int, list[tuple[int, int]]]


class Wholes:
    """The objects of each class that are read as a whole."""

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph
        self._program = graph.program
        self._places: Places | None = None

    def of(self, kind: int) -> list[tuple[int, int]]:
        """The values that hold an object of the class, or of one above it or below it, and are read as a whole."""
        if self._places is None:
            self._places = self._find()
        family = (*self._program.ancestors(kind), *self._program.descendants(kind))
        return [place for other in dict.fromkeys(family) for place in self._places.get(other, ())]

    def _find(self) -> Places:
        found: Places = defaultdict(list)
        for function, value in dict.fromkeys(self._read()):
            for kind in self._graph.values.types(function, value):
                if isinstance(kind.target, int):
                    found[kind.target].append((function, value))
        return found

    def _read(self) -> Iterator[tuple[int, int]]:
        program = self._program
        for name in _FUNCTIONS:
            for function, call in program.places("calls", name):
                op = program.op(function, call)
                if op[2] < 0 or name != "vars":
                    yield from ((function, value) for value in op[4][:1])
        for name in _METHODS:
            for function, call in program.places("calls", name):
                op = program.op(function, call)
                if op[2] >= 0 and not op[4] and not self._graph.targets(function, call):
                    yield function, op[2]
