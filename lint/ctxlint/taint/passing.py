"""What becomes of arguments: which field of which value is which field of which parameter.

def note(self, text, *rest, **options)
box.note(summary)               the argument is `text`
box.note("", summary)           an element of `rest`
box.note("", mood=summary)      the field "mood" of `options`
box.note(**fields)              the field "text" of `fields` is `text`, all fields are fields of `options`

The dict behind `**options` and the tuple behind `*rest` are made for the call: what the callee puts in them is gone
when it returns, what it changes inside of their elements is not.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ctxlint.ir import Parameter
from ctxlint.ir.ops import ANY, CALL, CONCAT, IN_LIST, Op
from ctxlint.taint.facts import Path, element, get, put
from ctxlint.taint.program import Program
from ctxlint.taint.target import Target

_TEXTS = frozenset({"str", "int", "float", "bool", "bytes", "None"})


class Passed(NamedTuple):
    """What becomes of `value`, or of its field `taken`: the parameter of that number, or the field `put` of it.

    `place` is where the call has the value: a position, a keyword, or "self".
    """

    value: int
    parameter: int
    place: int | str
    put: str = ""
    taken: str = ""


def passed(program: Program, op: Op, target: Target) -> tuple[Passed, ...]:
    """What a call (or the read of a property) passes to one of its targets."""
    if op[0] == CONCAT:
        return (Passed(op[1][0], 0, "self"), *(Passed(value, 1, 0) for value in op[1][1:]))
    if op[0] != CALL:
        return (Passed(op[1], 0, "self"),)
    return tuple(_passed(program.functions[target.function].parameters, op, target))


def _passed(parameters: tuple[Parameter, ...], op: Op, target: Target) -> Iterator[Passed]:
    if target.receiver >= 0 and parameters:
        yield Passed(target.receiver, 0, "self")
    if target.packed >= 0 or (target.higher is not None and target.higher.again):
        yield from _handed(parameters, op, target)
        return
    kinds = {parameter.kind: index for index, parameter in enumerate(parameters)}
    rest, extra = kinds.get("*", -1), kinds.get("**", -1)
    by_name = {parameter.name: index for index, parameter in enumerate(parameters) if not parameter.kind}
    first = target.given + (1 if target.bound else 0)
    filled = {by_name[name] for name, _ in op[5] if name in by_name} | set(range(first))
    for place, value in enumerate(op[4][target.skip :], target.skip):
        position = place - target.skip + first
        filled.add(position)
        if position < len(parameters) and not parameters[position].kind:
            yield Passed(value, position, place, taken=IN_LIST if target.elements else "")
        elif rest >= 0:
            yield Passed(value, rest, place, put=IN_LIST)
    for name, value in op[5]:
        if name in by_name:
            yield Passed(value, by_name[name], name)
        elif name not in {"*", "**"}:
            yield from (Passed(value, extra, name, put=name) for _ in range(extra >= 0))
        else:
            yield from _spread(value, name, {index: key for key, index in by_name.items() if index not in filled})
            into = rest if name == "*" else extra
            yield from (Passed(value, into, name) for _ in range(into >= 0))


def _handed(parameters: tuple[Parameter, ...], op: Op, target: Target) -> Iterator[Passed]:
    """The arguments stand in a collection, or they are the elements of one and what the function gave before."""
    first = target.given + (1 if target.bound else 0)
    if target.packed >= 0:
        for index in range(first, len(parameters)):
            yield Passed(target.packed, index, "*", taken=str(index - first))
        return
    for place, value in enumerate(op[4][target.skip :], target.skip):
        if place == target.skip:
            yield from (Passed(value, index, place, taken=IN_LIST) for index in range(first, len(parameters)))
        elif first < len(parameters):
            yield Passed(value, first, place)


def _spread(value: int, stars: str, open_: dict[int, str]) -> Iterator[Passed]:
    """`*values` and `**fields` fill the parameters that nothing else fills."""
    for index, name in open_.items():
        yield Passed(value, index, stars, taken=IN_LIST if stars == "*" else name)


def inward(link: Passed, path: Path) -> Path | None:
    """The path of a text in the parameter, None when it is in another part of the value."""
    if link.taken == IN_LIST:
        return element(path)
    if link.taken:
        # Text that fills a whole dict is somewhere in it: it is not said to be in every one of its fields.
        return get(path, link.taken) if path else None
    return put(link.put, path)


def outward(link: Passed, path: Path, parameter: Parameter) -> Path | None:
    """The path in the value of a text that the callee put in its parameter, None when it stays behind."""
    if not path and parameter.annotation and _TEXTS.issuperset(parameter.annotation.split()):
        return None  # a text cannot be changed
    if link.put:
        # What the callee put under one key of its `**fields` is in none of the other arguments.
        return path[1:] if len(path) > 1 and path[0] in {link.put, ANY, IN_LIST} else None
    if parameter.kind:
        return path if len(path) > 1 else None
    if link.taken:
        return put(link.taken, path) if path else None
    return path
