"""Methods that may run where a Protocol is declared: of classes that have all that it asks for, and extend nothing.

class Shrinker(Protocol):
    def shrink(self, turns): ...
class Folder:                       may stand behind a declared `Shrinker`
    def shrink(self, turns): ...
"""

from __future__ import annotations

from functools import cached_property

from ctxlint.taint.program import Program

_CALL = "__call__"
_HOLDERS = frozenset({"dict", "list", "set", "tuple"})
_PLAIN = _HOLDERS | {"str", "int", "float", "bool", "bytes"}
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
        if not self._is_protocol(kind):
            return ()
        wanted = set(program.classes[kind].methods)
        declared = program.method(kind, name)
        found = [
            program.first_function[program.module_of_class[other]] + program.classes[other].methods[name]
            for other in self._classes_with.get(name, ())
            if other != kind and wanted <= set(program.classes[other].methods) and not self._is_protocol(other)
        ]
        if len(found) > _FEW:
            asked, near = self._parameters(declared), self._folder(declared)
            found = [method for method in found if self._folder(method) == near and self._parameters(method) >= asked]
        elif wanted == {_CALL}:  # what any object that is called has
            found = [method for method in found if self._takes(method, declared)]
        found = [method for method in found if self._gives(method, declared)]
        return tuple(found) if len(found) <= _MANY else ()

    def _is_protocol(self, kind: int) -> bool:
        bases = self.program.classes[kind].bases
        return any(base.partition("[")[0].rpartition(".")[2] == "Protocol" for base in bases)

    def _gives(self, method: int, declared: int) -> bool:
        """What a method gives is no other type than what is declared, as far as both say."""
        given, asked = (self._types(function) for function in (method, declared))
        return not given or not asked or not given.isdisjoint(asked)

    def _types(self, function: int) -> set[str]:
        named = [name.rpartition(".")[2].lower() for name in self.program.functions[function].annotation.split()]
        if not _PLAIN.issuperset(named):
            return set()  # a type that stands for others, such as one of this program, may be the other one
        return set(named[:1] if _HOLDERS.intersection(named[:1]) else named)

    def _takes(self, method: int, declared: int) -> bool:
        given, asked = (self.program.functions[function].parameters[1:] for function in (method, declared))
        return len(given) == len(asked) or self._parameters(method) >= self._parameters(declared)

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
