"""Where text leaves a function: what is worked out once for each function that text comes through.

def keep(note):             leaving: the value of `return`, those of variables that nested functions see
box.add(note)           outs: what `box` and `note` are after the call
return box
def count() -> int          gives none: a number is no text
"""

from __future__ import annotations

from ctxlint.ir.ops import OUT
from ctxlint.taint.program import Program

_HOLDERS = frozenset({"List", "list", "Sequence", "Optional", "Union", "tuple", "Tuple", "None", "typing"})
_NO_TEXT = _HOLDERS | {"int", "float", "bool"}
"""A result that is declared to be made of these holds no text: a count, a score, an embedding."""
_MANAGERS = frozenset({"contextmanager", "asynccontextmanager"})

_Places = tuple[tuple[int, int | str], ...]


class Ends:
    """Answers for the functions of a program."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._outs: dict[int, dict[int, _Places]] = {}
        self._leaving: dict[int, frozenset[int]] = {}
        self._variables: dict[int, dict[int, str]] = {}
        self._none: dict[int, bool] = {}

    def outs(self, function: int) -> dict[int, _Places]:
        """For each call, the values that stand for its arguments afterwards, with their positions."""
        known = self._outs.get(function)
        if known is None:
            found: dict[int, list[tuple[int, int | str]]] = {}
            for value, op in enumerate(self._program.functions[function].ops):
                if op[0] == OUT:
                    found.setdefault(op[2], []).append((value, op[3]))
            known = self._outs[function] = {call: tuple(places) for call, places in found.items()}
        return known

    def leaving(self, function: int) -> frozenset[int]:
        """The values that a function gives to others: by its end, or in a variable that they see."""
        known = self._leaving.get(function)
        if known is None:
            owner = self._program.functions[function]
            known = frozenset((*owner.returns, *owner.yields, *self.variables(function)))
            self._leaving[function] = known
        return known

    def variables(self, function: int) -> dict[int, str]:
        """The values of variables that nested functions see, with the names."""
        known = self._variables.get(function)
        if known is None:
            owner = self._program.functions[function]
            known = {value: name for name, values in owner.variables.items() for value in values}
            self._variables[function] = known
        return known

    def gives_none(self, function: int) -> bool:
        """The function is declared to give a count, a score or the like."""
        known = self._none.get(function)
        if known is None:
            kinds = self._program.functions[function].annotation.replace(".", " ").split()
            known = bool(kinds) and _NO_TEXT.issuperset(kinds) and not _HOLDERS.issuperset(kinds)
            self._none[function] = known
        return known

    def is_manager(self, function: int) -> bool:
        """What the function yields is what a `with` statement gets, not an element."""
        decorators = self._program.functions[function].decorators
        return any(name.rpartition(".")[2] in _MANAGERS for name in decorators)
