"""What classes say of their fields: which the constructor takes by position, and which hold a constant.

@define
class Text(Artifact):                        Text("hello"): `value`, since all before it is by keyword only
kind: str = field(default="text", kw_only=True)
length: ClassVar[int] = 0
value: str

class Recap(Note):                           every Recap has kind = "recap"
    def __init__(self, text):
        super().__init__(text, kind="recap")
"""

from __future__ import annotations

from ctxlint.ir.ops import CALL, CONST, PARAM, SET_ATTR
from ctxlint.taint.objects import behind
from ctxlint.taint.program import Program
from ctxlint.taint.tested import constant, says_kind

_APART = frozenset({"ClassVar", "typing.ClassVar", "InitVar", "dataclasses.InitVar"})
_SENTINEL = frozenset({"KW_ONLY", "dataclasses.KW_ONLY"})


class Fieldings:
    """Answers about classes, each worked out once."""

    def __init__(self, program: Program) -> None:
        self._program = program
        self._known: dict[int, tuple[str, ...]] = {}
        self._constants: dict[int, dict[str, object]] = {}

    def positional(self, kind: int) -> tuple[str, ...]:
        """The fields of a class and its bases that its constructor takes by position, bases first."""
        known = self._known.get(kind)
        if known is None:
            found: dict[str, bool] = {}
            for ancestor in reversed(self._program.ancestors(kind)):
                found.update(self._own(ancestor))
            known = self._known[kind] = tuple(name for name, given in found.items() if given)
        return known

    def constants(self, kind: int) -> dict[str, object]:
        """The kind that all objects of a class say they are of: no construction is told another.

        Only fields that are called after a kind, and plain flags: with all defaults, marks tell too many texts apart.
        """
        known = self._constants.get(kind)
        if known is None:
            found: dict[str, object] = {}
            for ancestor in reversed(self._program.ancestors(kind)):
                found.update(self._defaults(ancestor))
                found.update(self._set(ancestor))
            told = self._told(self._program.classes[kind].name)
            known = self._constants[kind] = {
                name: value
                for name, value in found.items()
                if name not in told and (value is True or (value and says_kind(name)))
            }
        return known

    def _told(self, name: str) -> set[str]:
        """The fields that some construction of a class of this name is told."""
        program = self._program
        return {field for place in program.places("calls", name) for field, _ in program.op(*place)[5]}

    def _defaults(self, kind: int) -> dict[str, object]:
        """`kind: str = "recap"`, `kind: str = field(default="recap")`."""
        program = self._program
        known = program.classes[kind]
        body = program.first_function[program.module_of_class[kind]] + known.owner
        found: dict[str, object] = {}
        for name, value in known.attributes.items():
            op = program.op(body, value)
            given = dict(op[5]).get("default", op[4][0] if op[4] else -1) if op[0] == CALL else value
            found[name] = _constant(program, body, given) if given >= 0 else None
        return found

    def _set(self, kind: int) -> dict[str, object]:
        """What the constructor assigns, or passes on to that of a base."""
        program = self._program
        local = program.classes[kind].methods.get("__init__", -1)
        if local < 0:
            return {}
        function = program.first_function[program.module_of_class[kind]] + local
        owner = program.functions[function]
        found: dict[str, object] = {}
        for op in owner.ops:
            if op[0] == SET_ATTR and owner.ops[behind(owner.ops, op[1])][:2] == (PARAM, 0):
                given = _constant(program, function, op[3])
                found[op[2]] = given if found.get(op[2], given) == given else None
            elif op[0] == CALL and op[3] == "__init__" and op[2] >= 0:
                found.update((name, self._passed_on(function, value)) for name, value in op[5])
        return found

    def _passed_on(self, function: int, value: int) -> object:
        """The constant that a base gets, also as the default of a parameter."""
        program = self._program
        owner = program.functions[function]
        op = owner.ops[value]
        if op[0] != PARAM:
            return _constant(program, function, value)
        index: int = op[1]
        default = owner.parameters[index].default
        return _constant(program, program.function_id(function, owner.owner), default) if default else None

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


def _constant(program: Program, function: int, value: int) -> object:
    """The text or the plain yes that a value is; None for anything else."""
    found = constant(program, function, value)
    return found if found is True or (isinstance(found, str) and found) else None
