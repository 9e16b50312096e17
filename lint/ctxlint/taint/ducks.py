"""Objects of which nothing is known: what is called, or which field they have, tells what may run.

agent.condense_history(turns)     a method of that telling name, where only one or two classes have it
for n in notes: n.wording         notes with a field `body`: the property of the classes that have such a field
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxlint.taint.names import split, words_of
from ctxlint.taint.target import Target

if TYPE_CHECKING:
    from ctxlint.taint.callgraph import CallGraph

_MAX_DUCKS = 2
_MAX_PROPERTIES = 3
_DISTINCTIVE = 3


class Ducks:
    """Finds the methods that an operation on an unknown object may run."""

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph
        self._program = graph.program

    def methods(self, caller: int, receiver: int, name: str) -> Iterator[Target]:
        """Nothing is known about the receiver: a telling name that only one or two classes have will do.

        A method that hands on to one of its own name (`self.inner.condense(turns)`) means another one.
        """
        if not words_of(name) & self._graph.models.words.around and not self._distinctive(name):
            return
        found = [method for method in self._program.methods_named.get(name, ()) if method != caller]
        if 0 < len(found) <= _MAX_DUCKS:
            for function in found:
                yield Target(function, receiver=receiver, bound=True)

    def _distinctive(self, name: str) -> bool:
        """A name of three words and more is nobody else's; what models know is everybody's."""
        return len(split(name)) >= _DISTINCTIVE and name not in self._graph.models.by_method

    def read_by(self, function: int, read: int, field: str) -> bool:
        """Nothing is known of an object but that it has a field: a property of that name on such objects may run."""
        values = self._graph.values
        op = self._program.op(function, read)
        if values.types(function, op[1]) or values.refs(function, op[1]):
            return False
        named = self._program.properties_named.get(op[2], ())
        found = [method for method in named if self._has_field(method, field)]
        if not 0 < len(found) <= _MAX_PROPERTIES:
            return False
        self._graph.learn(function, read, tuple(Target(method, receiver=op[1], bound=True) for method in found))
        return True

    def _has_field(self, method: int, field: str) -> bool:
        kind = self._program.class_of(method)
        owners = (*self._program.ancestors(kind), *self._program.descendants(kind))
        declared = (self._program.classes[owner] for owner in owners)
        if any(field in known.annotations or field in known.hints for known in declared):
            return True
        return any(True for _ in self._graph.values.fields(kind, field))
