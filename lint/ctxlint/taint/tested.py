"""What the tests of a program look at: only that is worth remembering about what stands next to a text.

turns = [t for t in turns if not t.get("is_summary")]       looks at "is_summary"
if isinstance(turn, SummaryNote) or turn.text.startswith(MARK)      at "SummaryNote", "text", and the text MARK
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ctxlint.ir import Condition
from ctxlint.ir.ops import ATTR, BUILD, CALL, CLASS, CONST, FILTER, IMPORT, NAME, SLICE, Op
from ctxlint.models import Models
from ctxlint.taint.deeds import Deeds
from ctxlint.taint.names import split
from ctxlint.taint.program import Program

Tested = frozenset[object]
"""Fields as they are, class names and texts as pairs with KIND and TEXT, that some test looks at."""

AT = "$at"
"""The key of a mark that holds the position in a list."""
PUT = "$put"
"""The key of a mark that holds where a text was put in a list."""
SLICES = "$slices"
"""Some slice of the program leaves out what stands in front; in a pair with the name of an index, from there."""
KIND = "$class"
"""The key of a mark that holds the class of an object."""
TEXT = "$text"
"""The key of a mark that holds the constant text that a summary stands behind."""


NARROWS = frozenset({"filter", "filter_by", "where", "find", "query", "search"})
"""Methods that give those records which have the fields they are given."""
_FORMS = frozenset({"block", "content", "media", "mime", "part"})
"""`block_type`: an original and a summary are both texts."""
_KINDS = frozenset({"category", "class", "kind", "label", "layer", "level", "role", "source", "tag", "tier", "type"})


class Place(NamedTuple):
    """The value that a list is after something was put in it."""

    function: int
    value: int


_LOOKS = frozenset({"first", "holds", "is", "member", "prefix", "type"})
"""The kinds of conditions that look at more than a key."""


def tested(program: Program, models: Models) -> Tested:
    """What the tests of a program look at, and what is asked for by those who read from stores."""
    found: dict[object, None] = dict.fromkeys(_asked_for(program, models))
    for index, module in enumerate(program.modules):
        for local, value in module.tests:
            op = module.functions[local].ops[value]
            if op[0] == SLICE:
                found[SLICES] = None
                if isinstance(op[2], str):
                    found[SLICES, op[2].rpartition(".")[2]] = None
                continue
            conditions = op[2] if op[0] == FILTER else [claim.condition for claim in op[1]]
            for condition in conditions:
                found[condition.key] = None
                if condition.kind in _LOOKS:
                    found.update(dict.fromkeys(_looked_at(program, index, condition)))
    return frozenset(found)


def _asked_for(program: Program, models: Models) -> Iterator[object]:
    """Fields that say the kind of a record, and which a reader of a store is given."""
    deeds = Deeds(models.stores)
    for module in program.modules:
        for name, places in module.calls.items():
            does = deeds.of(name)
            if name not in NARROWS and (does is None or does.writes):
                continue
            for local, call in places:
                ops = module.functions[local].ops
                op = ops[call]
                for field, _ in (*op[5], *(pair for value in given(op) for pair in fields_of(ops[value]))):
                    if says_kind(field):
                        yield field
                        yield "is", field


def given(op: Op) -> tuple[int, ...]:
    """The arguments of a call, by position and by name."""
    return (*op[4], *(value for _, value in op[5]))


def fields_of(op: Op) -> tuple[tuple[str, int], ...]:
    """The fields of a dict that is displayed."""
    return tuple((name, value) for name, value, *_ in op[1] if name) if op[0] == BUILD else ()


def says_kind(field: str) -> bool:
    """A field of this name tells kinds of records apart, and neither one record nor one form from another."""
    words = split(field) or ("",)
    return words[-1] in _KINDS and _FORMS.isdisjoint(words)


def _looked_at(program: Program, module: int, condition: Condition) -> Iterator[object]:
    """What a condition looks at, beside its key."""
    if condition.kind in {"is", "first", "member", "prefix"}:
        yield "is", condition.key
        if _held(condition.values) or (condition.kind == "member" and _identifies(condition.key)):
            yield "member", condition.key
    names = [named(program, module, known) for known in condition.values]
    if condition.kind == "type":
        names = [str(name).removeprefix("$").rpartition(".")[2] for name in names]
        yield from ((KIND, name) for name in _with_children(program, names))
    elif condition.kind in {"holds", "prefix"}:
        yield from ((TEXT, name) for name in names)
        yield from names


def _with_children(program: Program, names: Sequence[object]) -> list[object]:
    """The classes and the linted ones that extend them: an object of a child is tested too."""
    classes = [index for name in names for index in program.classes_named.get(name, ())]
    below = [program.classes[child].name for index in classes for child in program.descendants(index)]
    return list(dict.fromkeys([*names, *below]))


def _identifies(key: str) -> bool:
    """A field with such a name tells one message from another; membership of a role or kind does not."""
    return (split(key) or ("",))[-1] in {"id", "uid", "uuid", "key"}


def _held(values: Sequence[object]) -> bool:
    """The value is compared with what an object holds: `m["id"] != self.summary_id`."""
    return any(isinstance(value, str) and value.startswith("$self.") for value in values)


def collection(program: Program, module: int, name: str) -> tuple[object, ...]:
    """The constants in the named tuple, list or set; none when it holds anything else."""
    held = program.global_value(module, name)
    if held is None:
        return ()
    op = program.op(*held)
    if op[0] == CALL and len(op[4]) == 1:
        op = program.op(held[0], op[4][0])
    if op[0] != BUILD:
        return ()
    found = [constant(program, held[0], value) for _, value in op[1]]
    return tuple(found) if None not in found else ()


def constant(program: Program, function: int, value: int) -> object:
    """The constant that a value is, or `$NAME` of a named one; None when it is neither."""
    op = program.op(function, value)
    if op[0] == CONST:
        return op[1]
    parts: list[str] = []
    while op[0] == ATTR:
        parts.append(op[2])
        op = program.op(function, op[1])
    if op[0] not in {NAME, CLASS, IMPORT} or (parts and op[0] == NAME and not op[1][:1].isupper()):
        return None
    if op[0] == NAME:
        parts.append(op[1])
    elif op[0] == IMPORT:
        parts.append(op[2])
    else:
        parts.append(program.classes[program.class_id(function, op[1])].name)
    return named(program, program.module_of[function], "$" + ".".join(reversed(parts)))


def named(program: Program, module: int, value: object) -> object:
    """The constant behind `$NAME`, where it has one."""
    if not isinstance(value, str) or not value.startswith("$"):
        return value
    if "." in value:
        return _in_class(program, module, value.removesuffix(".value"))
    held = program.global_value(module, value[1:])
    if held is not None:
        inner = program.op(*held)
        if inner[0] == CONST:
            return inner[1]
    return value


def _in_class(program: Program, module: int, value: str) -> object:
    """What `$Kind.SUMMARY` is: a text where the linted class says so, else the last two names."""
    owner, _, name = value.removeprefix("$").rpartition(".")
    short = f"${owner.rpartition('.')[2]}.{name}"
    ref = program.look_up(module, owner)
    if ref is None or ref.kind != "class" or not isinstance(ref.target, int):
        return short
    held = program.classes[ref.target].attributes.get(name)
    if held is None:
        return short
    first = program.first_function[program.module_of_class[ref.target]]
    op = program.op(first + program.classes[ref.target].owner, held)
    return op[1] if op[0] == CONST and isinstance(op[1], str) else short
