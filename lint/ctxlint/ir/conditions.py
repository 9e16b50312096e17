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
from typing import TYPE_CHECKING, NamedTuple

from ctxlint.ir.module import Condition

if TYPE_CHECKING:
    from ctxlint.ir.builder import Builder


class Claim(NamedTuple):
    """A condition and the variable that it is about."""

    name: str
    condition: Condition


def claims(builder: Builder, test: ast.expr, *, wanted: bool) -> list[Claim]:
    """What holds about variables when `test` is true (`wanted`) or false."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return claims(builder, test.operand, wanted=not wanted)
    if isinstance(test, ast.BoolOp):
        # "a and b" tells both when true; "a or b" denies both when false; else one cannot say which.
        if isinstance(test.op, ast.And) == wanted:
            return [claim for value in test.values for claim in claims(builder, value, wanted=wanted)]
        return []
    if isinstance(test, ast.Compare):
        return _comparison(test, wanted=wanted)
    if isinstance(test, ast.Call):
        found = _call(builder, test, wanted=wanted)
        if found:
            return found
    subject = _field(test)
    return [Claim(subject[0], Condition("has", subject[1], (), wanted))] if subject and subject[1] else []


def _field(node: ast.expr) -> tuple[str, str] | None:
    """The variable and the field of it that an expression reads; field "" for the variable itself."""
    if isinstance(node, ast.Name):
        return node.id, ""
    if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name):
        return node.value.id, node.attr
    if isinstance(node, ast.Attribute | ast.Subscript):
        key = node.attr if isinstance(node, ast.Attribute) else _text(node.slice)
        inner = _field(node.value)
        return (inner[0], key) if inner and key else None
    if not isinstance(node, ast.Call) or not node.args:
        return None
    if isinstance(node.func, ast.Attribute) and node.func.attr == "get":
        inner, key = _field(node.func.value), _text(node.args[0])
        return (inner[0], key) if inner and key else None
    if not isinstance(node.func, ast.Name):
        return None
    if node.func.id in {"getattr", "hasattr"} and len(node.args) >= 2 and isinstance(node.args[0], ast.Name):
        return node.args[0].id, _text(node.args[1])
    if node.func.id in {"str", "bool"}:
        return _field(node.args[0])
    return None


def _text(node: ast.expr) -> str:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ""


def _comparison(test: ast.Compare, *, wanted: bool) -> list[Claim]:
    if len(test.ops) != 1:
        return []
    left, operator, right = test.left, test.ops[0], test.comparators[0]
    if isinstance(operator, ast.NotEq | ast.IsNot | ast.NotIn):
        wanted = not wanted
    if isinstance(operator, ast.In | ast.NotIn):
        return _membership(left, right, wanted=wanted)
    if not isinstance(operator, ast.Eq | ast.NotEq | ast.Is | ast.IsNot):
        return []
    if isinstance(left, ast.Call) and isinstance(left.func, ast.Name) and left.func.id == "type" and left.args:
        subject = _field(left.args[0])
        return [Claim(subject[0], Condition("type", "", (dotted(right),), wanted))] if subject else []
    subject, value = _field(left), constant(right)
    if subject is None or not subject[1] or value is _NOTHING:
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
    value = builder.call_values.get(id(test))
    if value is None:
        return []
    names = [argument.id for argument in test.args if isinstance(argument, ast.Name)]
    return [Claim(name, Condition("call", "", (value,), wanted)) for name in names]


_NOTHING = object()


def constant(node: ast.expr) -> object:
    """A constant's value, `$NAME` for a named one, or a private object that equals nothing."""
    if isinstance(node, ast.Constant):
        return node.value
    text = dotted(node)
    return "$" + text if text else _NOTHING


def dotted(node: ast.expr) -> str:
    """`a.b.c` as text, "" for anything else."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    if not isinstance(node, ast.Name):
        return ""
    parts.append(node.id)
    return ".".join(reversed(parts))
