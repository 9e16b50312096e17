"""Sites that get a component: what its field for messages holds is what the model is asked with.

class History:
def add(self, note): self.messages.append(note)         a component: its field is known to all who read it
text = llm.chat(self.history)                               ... and this call reads it, wherever below that is done
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import cached_property
from typing import TYPE_CHECKING

from ctxlint.ir.ops import ATTR, CAPTURE, NAME, PARAM
from ctxlint.taint.names import split
from ctxlint.taint.selves import origin

if TYPE_CHECKING:
    from ctxlint.taint.callgraph import CallGraph
    from ctxlint.taint.heap import Cell

_MAX_GIVEN = 6


class Asked:
    """Finds the arguments of sites that are components with a history."""

    def __init__(self, graph: CallGraph, sites: Iterable[tuple[int, int]]) -> None:
        self._graph = graph
        self._sites = tuple(sites)

    def holders(self, cell: Cell) -> Iterator[tuple[int, int]]:
        """The arguments whose object has the field that a cell stands for, where it holds messages."""
        if cell.kind != "field" or self._graph.models.flow.session_fields.isdisjoint(split(cell.name)[-1:]):
            return
        for kind, places in self._given.items() if self._is_alone(cell.owner) else ():
            if self._graph.program.related(kind, cell.owner):
                yield from places

    @cached_property
    def _given(self) -> dict[int, list[tuple[int, int]]]:
        found: dict[int, list[tuple[int, int]]] = {}
        for function, call in sorted(self._sites):
            op = self._graph.program.op(function, call)
            for value in (*op[4], *(held for _, held in op[5])):
                for kind in self._graph.values.types(function, value):
                    if isinstance(kind.target, int) and self._lasts(function, value):
                        found.setdefault(kind.target, []).append((function, value))
        return found

    def _is_alone(self, kind: int) -> bool:
        """One place makes all objects of the class: with more, it would not be known whose messages these are."""
        program = self._graph.program
        family = dict.fromkeys((*program.ancestors(kind), *program.descendants(kind)))
        return sum(len(program.places("calls", program.classes[other].name)) for other in family) == 1

    def _lasts(self, function: int, value: int, depth: int = 0) -> bool:
        """The object is there for longer than this call: a field has it, and nobody makes it for this one purpose."""
        program = self._graph.program
        op = program.op(function, origin(program.functions[function].ops, value))
        if op[0] in {ATTR, NAME, CAPTURE}:
            return True
        if op[0] != PARAM or depth:
            return False
        arguments = self._graph.arguments
        given = [
            (place[0], held) for place in self._graph.callers(function) for held in arguments(*place, function, op[1])
        ]
        return 0 < len(given) <= _MAX_GIVEN and all(self._lasts(*place, depth + 1) for place in given)
