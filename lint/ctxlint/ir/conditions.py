"""What a test says about a variable, as far as a filter against earlier summaries could say it.

    m.get("kind") != "summary"            m: is kind ("summary",), not wanted
    not m["is_summary"]                   m: has is_summary, not wanted
    isinstance(m, Note) and m.pinned      m: type (Note,)      m: has pinned
    not m["content"].startswith(MARK)     m: prefix content ($MARK,), not wanted
    not is_summary(m)                     m: call (the call's value,), not wanted

A test that says nothing of this kind gives no condition: nothing is known, nothing is filtered.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

from ctxlint.ir.keys import is_plain
from ctxlint.ir.module import Condition
from ctxlint.ir.ops import CALL
from ctxlint.ir.switches import switch

if TYPE_CHECKING:
    from ctxlint.ir.builder import Builder


_DENIALS = frozenset({ast.NotEq, ast.IsNot, ast.NotIn})
_EQUALITIES = frozenset({ast.Eq, ast.NotEq, ast.Is, ast.IsNot})


class Claim(NamedTuple):
    """A condition and the variable that it is about."""

    name: str
    condition: Condition


def claims(builder: Builder, test: ast.expr, *, wanted: bool) -> list[Claim]:
    """What holds about variables when `test` is true (`wanted`) or false."""
    kind = type(test)
    if kind is ast.Name:
        return []
    if isinstance(test, ast.Compare):
        return _comparison(test.left, test.ops[0], test.comparators[0], wanted=wanted) if len(test.ops) == 1 else []
    if isinstance(test, ast.BoolOp):
        return _joint(builder, test, wanted=wanted)
    if isinstance(test, ast.UnaryOp):
        return claims(builder, test.operand, wanted=not wanted) if isinstance(test.op, ast.Not) else []
    if isinstance(test, ast.Call):
        return _truth(test, wanted=wanted) or _call(builder, test, wanted=wanted)
    return _truth(test, wanted=wanted)


def _joint(builder: Builder, test: ast.BoolOp, *, wanted: bool) -> list[Claim]:
    """`a and b` tells both when true; `a or b` denies both when false; else one cannot say which."""
    if isinstance(test.op, ast.And) == wanted:
        return [claim for value in test.values for claim in claims(builder, value, wanted=wanted)]
    return _switched(builder, test.values, wanted=wanted) if builder.flags else []


def _switched(builder: Builder, operands: list[ast.expr], *, wanted: bool) -> list[Claim]:
    """`skip or not m.derived`: the other operand decides unless the switch does."""
    found = [(operand, switch(builder, operand)) for operand in operands]
    rest = [operand for operand, known in found if known is None]
    known = [known for _, known in found if known is not None]
    if len(rest) != 1 or len(known) != 1:
        return []
    unless = (known[0][0], known[0][1] == wanted)
    return [
        Claim(claim.name, replace(claim.condition, unless=unless))
        for claim in claims(builder, rest[0], wanted=wanted)
        if claim.condition.unless is None
    ]


def _truth(test: ast.expr, *, wanted: bool) -> list[Claim]:
    subject = _field(test)
    return [Claim(subject[0], Condition("has", subject[1], (), wanted))] if subject and subject[1] else []


def _field(node: ast.expr) -> tuple[str, str] | None:
    """The variable and the field of it that an expression reads; field "" for the variable itself."""
    kind = type(node)
    if kind is ast.Constant:
        return None
    if isinstance(node, ast.Name):
        return node.id, ""
    if isinstance(node, ast.Attribute):
        return _below(node.value, node.attr)
    if isinstance(node, ast.Subscript):
        return _below(node.value, _text(node.slice))
    if isinstance(node, ast.Call):
        return _called(node.func, node.args)
    return None


def _called(function: ast.expr, args: Sequence[ast.expr]) -> tuple[str, str] | None:
    if isinstance(function, ast.Attribute):
        return _below(function.value, _text(args[0])) if function.attr == "get" and args else None
    if not isinstance(function, ast.Name):
        return None
    if function.id in {"getattr", "hasattr"} and len(args) > 1:
        return _below(args[0], _text(args[1]))
    return _field(args[0]) if function.id in {"str", "bool"} and len(args) == 1 else None


def _below(node: ast.expr, key: str) -> tuple[str, str] | None:
    inner = _field(node)
    return (inner[0], key) if inner and key else None


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _comparison(left: ast.expr, operator: ast.cmpop, right: ast.expr, *, wanted: bool) -> list[Claim]:
    kind = type(operator)
    if kind in _DENIALS:
        wanted = not wanted
    if kind is ast.In or kind is ast.NotIn:
        return _membership(left, right, wanted=wanted)
    if kind not in _EQUALITIES:
        return []
    match left:
        case ast.Call(func=ast.Name(id="type"), args=[inner]):
            subject = _field(inner)
            return [Claim(subject[0], Condition("type", "", (dotted(right),), wanted))] if subject else []
        case _:
            return _equality(left, right, wanted=wanted)


def _equality(left: ast.expr, right: ast.expr, *, wanted: bool) -> list[Claim]:
    subject = _field(left)
    if subject is None or not subject[1]:
        return []
    value = constant(right)
    if value is _NOTHING:
        return []
    if value is None or value is False:
        return [Claim(subject[0], Condition("has", subject[1], (), not wanted))]
    return [Claim(subject[0], Condition("is", subject[1], (value,), wanted))]


def _membership(left: ast.expr, right: ast.expr, *, wanted: bool) -> list[Claim]:
    container = _field(right)
    if container is not None:
        key = constant(left)
        if isinstance(key, str) and not container[1] and not key.startswith("$"):
            # `"is_summary" in m`, or a mark looked for in a text: both are answered by what stands next to it
            return [Claim(container[0], Condition("holds", "", (key,), wanted))]
        if isinstance(left, ast.Constant) or dotted(left).rpartition(".")[2].isupper():
            return [Claim(container[0], Condition("prefix", container[1], (key,), wanted))] if container[1] else []
    subject = _field(left)
    if subject is None or not subject[1]:
        return []
    if isinstance(right, ast.Name | ast.Attribute):
        return [Claim(subject[0], Condition("member", subject[1], (dotted(right).rpartition(".")[2],), wanted))]
    if not isinstance(right, ast.Tuple | ast.List | ast.Set):
        return []
    values = tuple(value for value in map(constant, right.elts) if value is not _NOTHING)
    return [Claim(subject[0], Condition("is", subject[1], values, wanted))] if values else []


def _call(builder: Builder, test: ast.Call, *, wanted: bool) -> list[Claim]:
    if isinstance(test.func, ast.Attribute) and test.func.attr == "startswith" and test.args:
        subject, value = _field(test.func.value), constant(test.args[0])
        if subject and value is not _NOTHING:
            return [Claim(subject[0], Condition("prefix", subject[1], (value,), wanted))]
    if isinstance(test.func, ast.Name) and test.func.id == "isinstance" and len(test.args) == 2:
        subject = _field(test.args[0])
        kinds = test.args[1].elts if isinstance(test.args[1], ast.Tuple) else [test.args[1]]
        if subject and not subject[1]:
            return [Claim(subject[0], Condition("type", "", tuple(map(dotted, kinds)), wanted))]
    value = builder.lowered.get(id(test))
    if value is None or builder.ops[value][0] != CALL:
        return []
    names = [argument.id for argument in test.args if isinstance(argument, ast.Name)]
    return [Claim(name, Condition("call", "", (value,), wanted)) for name in names]


_NOTHING = object()


def constant(node: ast.expr) -> object:
    """A constant's value, `$NAME` for a named one, or a private object that equals nothing."""
    if isinstance(node, ast.Constant):
        return _NOTHING if isinstance(node.value, int) and not is_plain(node.value) else node.value
    text = dotted(node)
    return "$" + text if text else _NOTHING


def dotted(node: ast.expr) -> str:
    """`a.b.c` as text, "" for anything else."""
    if type(node) is ast.Name:
        return node.id
    parts: list[str] = []
    while type(node) is ast.Attribute:
        parts.append(node.attr)
        node = node.value
    if type(node) is not ast.Name:
        return ""
    parts.append(node.id)
    return ".".join(reversed(parts))
