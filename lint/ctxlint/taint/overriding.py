"""Overrides: which methods of subclasses a call on an object of a declared class may run.

class Shortener(ABC):                    never an object itself: only those of its subclasses are
    @abstractmethod
    def shorten(self, turns): ...
shortener: Shortener
shortener.shorten(turns)                 the bodies in the same folder; all of them, where they are few
"""

from __future__ import annotations

from functools import cached_property

from ctxlint.taint.program import Program

_MAX_OVERRIDES = 4
"""An abstract method with more bodies than this is a plug: which of them is in use is not known far from them."""


class Overrides:
    """Finds the methods that subclasses put in the place of a method."""

    def __init__(self, program: Program) -> None:
        self._program = program

    @cached_property
    def never_made(self) -> frozenset[int]:
        """The classes that have abstract methods of their own: no object is of such a class itself."""
        functions = self._program.functions
        marked = (
            function
            for function, owner in enumerate(functions)
            if owner.abstract and any(name.rpartition(".")[2] == "abstractmethod" for name in owner.decorators)
        )
        return frozenset(map(self._program.class_of, marked)) - {-1}

    def of(self, kind: int, name: str, function: int, *, own: bool) -> list[int]:
        """The overrides that a call in a function may run; `own` when the class calls its own method."""
        program = self._program
        found = [
            program.first_function[program.module_of_class[child]] + program.classes[child].methods[name]
            for child in program.descendants(kind)
            if name in program.classes[child].methods
        ]
        bodies = [override for override in found if not program.functions[override].abstract]
        if not own and len(bodies) <= _MAX_OVERRIDES:
            return found
        near = program.path_of(function).rpartition("/")[0]
        return [override for override in found if program.path_of(override).startswith(near)]
