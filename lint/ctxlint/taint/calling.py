"""Which calls may run a function: those that bear one of its names, as far as their targets say so.

def run(self): ...          one of two hundred methods of this name
job.run()                   what this call runs is asked for once, and not once for each of them
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxlint.taint.objects import is_property

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ctxlint.taint.callgraph import CallGraph

Place = tuple[int, int]


class Calling:
    """Finds the callers of functions."""

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph
        self._named: dict[str, dict[int, list[Place]]] = {}

    def of(self, function: int) -> tuple[Place, ...]:
        """The calls that may run a function, in the order of the files."""
        graph, program = self._graph, self._graph.program
        owner = program.functions[function]
        home = program.module_of[function]
        found: set[Place] = set()
        for name in graph.naming.names(function):
            found.update(self._by_name(name).get(function, ()))
        mention = f"<{function - program.first_function[home]}>"
        others = [place for place in program.places("mentions", mention) if program.module_of[place[0]] == home]
        if is_property(owner.decorators):
            others.extend(program.places("attributes", owner.name))
        if owner.name == "__call__":
            others.extend(graph.naming.instance_calls(function))
        others.extend(graph.operators.users(function))
        for place in dict.fromkeys(others):
            if place not in found and any(target.function == function for target in graph.targets(*place)):
                found.add(place)
        return tuple(sorted(found))

    def _by_name(self, name: str) -> dict[int, list[Place]]:
        """The functions that the calls with a name may run, each with these calls."""
        known = self._named.get(name)
        if known is None:
            known = self._named[name] = {}
            places = self._graph.program.places
            self._note(known, dict.fromkeys((*places("calls", name), *places("mentions", name))))
        return known

    def _note(self, known: dict[int, list[Place]], places: Iterable[Place]) -> None:
        for place in places:
            for target in dict.fromkeys(target.function for target in self._graph.targets(*place)):
                known.setdefault(target, []).append(place)
