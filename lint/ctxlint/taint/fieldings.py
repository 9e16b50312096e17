"""Which fields a class that writes its constructor from its fields takes by position, in which order.

@define
class Text(Artifact):                        Text("hello"): `value`, since all before it is by keyword only
kind: str = field(default="text", kw_only=True)
length: ClassVar[int] = 0
value: str
"""

from __future__ import annotations

from ctxlint.ir.ops import CALL, CONST
from ctxlint.taint.program import Program

_APART = frozenset({"ClassVar", "typing.ClassVar", "InitVar", "dataclasses.InitVar"})
_SENTINEL = frozenset({"KW_ONLY", "dataclasses.KW_ONLY"})


class Fieldings:
    """Answers about classes, each worked out once."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[int, tuple[str, ...]] = {}

    def positional(self, kind: int) -> tuple[str, ...]:
        """The fields of a class and its bases that its constructor takes by position, bases first."""
        known = self._known.get(kind)
        if known is None:
            found: dict[str, bool] = {}
            for ancestor in reversed(self._program.ancestors(kind)):
                found.update(self._own(ancestor))
            known = self._known[kind] = tuple(name for name, given in found.items() if given)
        return known

    def _own(self, kind: int) -> dict[str, bool]:
        program = self._program
        known = program.classes[kind]
        body = program.first_function[program.module_of_class[kind]] + known.owner
        found: dict[str, bool] = {}
        open_ = True
        for name, text in known.annotations.items():
            words = text.split()
            if not _SENTINEL.isdisjoint(words):
                open_ = False
            elif _APART.isdisjoint(words[:1]):
                found[name] = open_ and not self._by_keyword(body, known.attributes.get(name, 0))
        return found

    def _by_keyword(self, function: int, value: int) -> bool:
        """The field is described by a call that keeps it out of the constructor, or out of its positions."""
        op = self._program.op(function, value)
        if op[0] != CALL:
            return False
        given = {name: self._program.op(function, held) for name, held in op[5]}
        return given.get("kw_only", ())[:2] == (CONST, True) or given.get("init", ())[:2] == (CONST, False)
