"""Methods that may run where a Protocol is declared: of classes that have all that it asks for, and extend nothing.

class Shrinker(Protocol):
    def shrink(self, turns): ...
class Folder:                       may stand behind a declared `Shrinker`
    def shrink(self, turns): ...
"""

from __future__ import annotations

from functools import cached_property

from ctxlint.taint.program import Program

_FEW = 3
_MANY = 12


class Protocols:
    """Finds the classes that a Protocol describes."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self._known: dict[tuple[int, str], tuple[int, ...]] = {}

    def implementers(self, kind: int, name: str) -> tuple[int, ...]:
        """The methods that may run: of the few that fit, or of those with the same names next to it."""
        known = self._known.get((kind, name))
        if known is None:
            known = self._known[kind, name] = self._find(kind, name)
        return known

    def _find(self, kind: int, name: str) -> tuple[int, ...]:
        program = self.program
        owner = program.classes[kind]
        if not any(base.partition("[")[0].rpartition(".")[2] == "Protocol" for base in owner.bases):
            return ()
        wanted = set(owner.methods)
        found = [
            program.first_function[program.module_of_class[other]] + program.classes[other].methods[name]
            for other in self._classes_with.get(name, ())
            if other != kind and wanted <= set(program.classes[other].methods)
        ]
        if len(found) <= _FEW:
            return tuple(found)
        asked = self._parameters(program.method(kind, name))
        near = self._folder(program.method(kind, name))
        close = [method for method in found if self._folder(method) == near and self._parameters(method) >= asked]
        return tuple(close) if len(close) <= _MANY else ()

    def _folder(self, function: int) -> str:
        return self.program.path_of(function).rpartition("/")[0]

    def _parameters(self, function: int) -> set[str]:
        """The names of what a method takes, without the object."""
        return {parameter.name for parameter in self.program.functions[function].parameters[1:]}

    @cached_property
    def _classes_with(self) -> dict[str, list[int]]:
        found: dict[str, list[int]] = {}
        for index, kind in enumerate(self.program.classes):
            for name in kind.methods:
                found.setdefault(name, []).append(index)
        return found
