"""What the tests of a program look at: only that is worth remembering about what stands next to a text.

turns = [t for t in turns if not t.get("is_summary")]       looks at "is_summary"
if isinstance(turn, SummaryNote) or turn.text.startswith(MARK)      at "SummaryNote", "text", and the text MARK
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ctxlint.ir.ops import CONST, FILTER, SLICE
from ctxlint.taint.names import split
from ctxlint.taint.program import Program

Tested = frozenset[object]
"""Fields as they are, class names and texts as pairs with KIND and TEXT, that some test looks at."""

AT = "$at"
"""The key of a mark that holds the position in a list."""
PUT = "$put"
"""The key of a mark that holds where a text was put in a list."""
SLICES = "$slices"
"""Some slice of the program leaves out what stands in front."""
KIND = "$class"
"""The key of a mark that holds the class of an object."""
TEXT = "$text"
"""The key of a mark that holds the constant text that a summary stands behind."""


class Place(NamedTuple):
    """The value that a list is after something was put in it."""

    function: int
    value: int


def tested(program: Program) -> Tested:
    """What the tests of a program look at."""
    found: dict[object, None] = {}
    for index, module in enumerate(program.modules):
        for local, value in module.tests:
            op = module.functions[local].ops[value]
            if op[0] == SLICE:
                found[SLICES] = None
                continue
            conditions = op[2] if op[0] == FILTER else [claim.condition for claim in op[1]]
            for condition in conditions:
                found[condition.key] = None
                if condition.kind == "is" or (condition.kind == "member" and _identifies(condition.key)):
                    found[condition.kind, condition.key] = None
                names = [named(program, index, known) for known in condition.values]
                if condition.kind == "type":
                    names = [str(name).removeprefix("$").rpartition(".")[2] for name in names]
                if condition.kind == "type":
                    found.update(dict.fromkeys((KIND, name) for name in _with_children(program, names)))
                elif condition.kind in {"holds", "prefix"}:
                    found.update(dict.fromkeys((TEXT, name) for name in names))
                    found.update(dict.fromkeys(names))
    return frozenset(found)


def _with_children(program: Program, names: Sequence[object]) -> list[object]:
    """The classes and the linted ones that extend them: an object of a child is tested too."""
    classes = [index for name in names for index in program.classes_named.get(name, ())]
    below = [program.classes[child].name for index in classes for child in program.descendants(index)]
    return list(dict.fromkeys([*names, *below]))


def _identifies(key: str) -> bool:
    """A field with such a name tells one message from another; membership of a role or kind does not."""
    return (split(key) or ("",))[-1] in {"id", "uid", "uuid", "key"}


def named(program: Program, module: int, value: object) -> object:
    """The constant behind `$NAME`, where it has one."""
    if not isinstance(value, str) or not value.startswith("$") or "." in value:
        return value
    held = program.global_value(module, value[1:])
    if held is not None:
        inner = program.op(*held)
        if inner[0] == CONST:
            return inner[1]
    return value
