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
from ctxlint.ir.ops import ANY, CALL, IN_LIST, Op
from ctxlint.taint.facts import Path, element, get, put
from ctxlint.taint.program import Program
from ctxlint.taint.target import Target

_TEXTS = frozenset({"str", "int", "float", "bool", "bytes", "None"})


class Passed(NamedTuple):
    """`value`, or its field `taken`, is parameter `index`, or its field `put`. `place` is where the call has it."""

    value: int
    index: int
    place: int | str
    put: str = ""
    taken: str = ""


def passed(program: Program, op: Op, target: Target) -> tuple[Passed, ...]:
    """What a call (or the read of a property) passes to one of its targets."""
    if op[0] != CALL:
        return (Passed(op[1], 0, "self"),)
    return tuple(_passed(program.functions[target.function].parameters, op, target))


def _passed(parameters: tuple[Parameter, ...], op: Op, target: Target) -> Iterator[Passed]:
    if target.receiver >= 0 and parameters:
        yield Passed(target.receiver, 0, "self")
    rest = next((index for index, parameter in enumerate(parameters) if parameter.kind == "*"), -1)
    extra = next((index for index, parameter in enumerate(parameters) if parameter.kind == "**"), -1)
    by_name = {parameter.name: index for index, parameter in enumerate(parameters) if not parameter.kind}
    open_: dict[int, None] = dict.fromkeys(by_name.values())
    first = target.given + (1 if target.bound else 0)
    position = first
    for position, value in enumerate(op[4][target.skip :], first):
        if position < len(parameters) and not parameters[position].kind:
            open_.pop(position, None)
            yield Passed(value, position, position - first + target.skip)
        elif rest >= 0:
            yield Passed(value, rest, position - first + target.skip, put=IN_LIST)
    start = first + len(op[4][target.skip :])
    for name, value in op[5]:
        if name in by_name:
            open_.pop(by_name[name], None)
            yield Passed(value, by_name[name], name)
        elif name not in {"*", "**"} and extra >= 0:
            yield Passed(value, extra, name, put=name)
    for name, value in op[5]:
        if name == "*":
            yield from (Passed(value, index, name, taken=IN_LIST) for index in open_ if index >= start)
        elif name == "**":
            yield from (
                Passed(value, index, name, taken=parameters[index].name) for index in open_ if index >= start
            )
        into = rest if name == "*" else extra if name == "**" else -1
        if into >= 0:
            yield Passed(value, into, name)


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
    if link.put or parameter.kind:
        below = path[1:] if path and path[0] in {link.put, ANY, IN_LIST} and link.put else path
        return below if len(path) > 1 else None
    if link.taken:
        return put(link.taken, path) if path else None
    return path
