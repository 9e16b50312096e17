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
from typing import TYPE_CHECKING, NamedTuple

from ctxlint.ir.keys import is_plain, key_of
from ctxlint.ir.module import Condition
from ctxlint.ir.ops import ATTR, CALL, CONST, ITEM, Op
from ctxlint.ir.patterns import takes_all
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
    if type(test) is ast.Name:
        return _read_before(builder, test.id, wanted=wanted)
    if type(test) is ast.Compare:
        return _comparison(test.left, test.ops[0], test.comparators[0], wanted=wanted) if len(test.ops) == 1 else []
    if type(test) is ast.BoolOp:
        return _joint(builder, test, wanted=wanted)
    if type(test) is ast.UnaryOp:
        return claims(builder, test.operand, wanted=not wanted) if type(test.op) is ast.Not else []
    if type(test) is ast.Call:
        return _truth(test, wanted=wanted) or _call(builder, test, wanted=wanted)
    return _truth(test, wanted=wanted)


def _joint(builder: Builder, test: ast.BoolOp, *, wanted: bool) -> list[Claim]:
    """`a and b` tells both when true; `a or b` denies both when false; else one cannot say which."""
    if isinstance(test.op, ast.And) == wanted:
        return [claim for value in test.values for claim in claims(builder, value, wanted=wanted)]
    rest = [value for value in test.values if not isinstance(value, ast.Name)]
    if len(rest) == 1 and not builder.flags.intersection(_names(test.values)):
        # `turn and turn.derived`: where there is no turn, there is nothing to leave out
        named = _names(test.values)
        return [claim for claim in claims(builder, rest[0], wanted=wanted) if named <= {claim.name}]
    return _switched(builder, test.values, wanted=wanted) if builder.flags else []


def _names(operands: Sequence[ast.expr]) -> set[str]:
    return {operand.id for operand in operands if isinstance(operand, ast.Name)}


def _read_before(builder: Builder, name: str, *, wanted: bool) -> list[Claim]:
    """`derived = turn.get("derived")`, and later `if derived`: the variable tells about the turn."""
    value = builder.known(name)
    if not value:
        return []
    op: Op = builder.ops[value]
    base: int = 0
    field: object = None
    if op[0] in {ATTR, ITEM}:
        base, field = op[1], op[2]
    elif op[0] == CALL and op[3] == "get" and op[2] > 0 and op[4]:
        key: Op = builder.ops[int(op[4][0])]
        base, field = op[2], key[1] if key[0] == CONST else None
    holder = builder.name_of(base) if base and isinstance(field, str) else ""
    return [Claim(holder, Condition("has", str(field), (), wanted))] if holder else []


def _switched(builder: Builder, operands: list[ast.expr], *, wanted: bool) -> list[Claim]:
    """`skip or not m.derived`: the other operand decides unless the switch does."""
    found = [(operand, switch(builder, operand)) for operand in operands]
    rest = [operand for operand, known in found if known is None]
    known = [known for _, known in found if known is not None]
    if len(rest) != 1 or len(known) != 1:
        return []
    unless = (known[0][0], known[0][1] == wanted)
    return [
        Claim(claim.name, claim.condition._replace(unless=unless))
        for claim in claims(builder, rest[0], wanted=wanted)
        if claim.condition.unless is None
    ]


def _truth(test: ast.expr, *, wanted: bool) -> list[Claim]:
    subject = _field(test)
    if subject and subject[1]:
        return [Claim(subject[0], Condition("has", subject[1], (), wanted))]
    first = _of_element(test)
    return [Claim(first[0], Condition("first", first[1], (first[2],), wanted))] if first else []


def _of_element(node: ast.expr) -> tuple[str, str, int] | None:
    """The list, field and position that `turns[0].get("derived")` reads."""
    key, holder = "", node
    if type(node) is ast.Attribute:
        holder, key = node.value, node.attr
    elif type(node) is ast.Subscript:
        holder, key = node.value, _text(node.slice)
    elif type(node) is ast.Call and type(node.func) is ast.Attribute and node.func.attr == "get" and node.args:
        holder, key = node.func.value, _text(node.args[0])
    if not key or type(holder) is not ast.Subscript or not isinstance(holder.value, ast.Name):
        return None
    match holder.slice:
        case ast.Constant(value=int(position)) if not isinstance(position, bool):
            return holder.value.id, key, position
        case _:
            return None


def _field(node: ast.expr) -> tuple[str, str] | None:
    """The variable and the field of it that an expression reads; field "" for the variable itself."""
    field = ""
    while type(node) is not ast.Name:
        if type(node) is ast.Attribute:
            key, node = node.attr, node.value
        elif type(node) is ast.Subscript:
            key, node = _text(node.slice), node.value
        elif type(node) is ast.Call:
            inner, read = _called(node.func, node.args)
            if inner is None:
                return None
            node = inner
            if read is None:
                continue
            key = read
        else:
            return None
        if not key:
            return None
        field = field or key
    return node.id, field


def _called(function: ast.expr, args: Sequence[ast.expr]) -> tuple[ast.expr | None, str | None]:
    """What a call reads a field of, and which; None for the field where the call gives what it gets as it is."""
    if type(function) is ast.Attribute:
        return (function.value, _text(args[0])) if function.attr == "get" and args else (None, None)
    if type(function) is not ast.Name:
        return None, None
    if function.id in {"getattr", "hasattr"} and len(args) > 1:
        return args[0], _text(args[1])
    return (args[0], None) if function.id in {"str", "bool"} and len(args) == 1 else (None, None)


def _text(node: ast.expr) -> str:
    key = key_of(node)
    return key if isinstance(key, str) else ""


def _comparison(left: ast.expr, operator: ast.cmpop, right: ast.expr, *, wanted: bool) -> list[Claim]:
    kind = type(operator)
    if kind in _DENIALS:
        wanted = not wanted
    if kind is ast.In or kind is ast.NotIn:
        return _membership(left, right, wanted=wanted)
    if kind not in _EQUALITIES:
        return []
    if type(left) is ast.Call and len(left.args) == 1 and type(left.func) is ast.Name and left.func.id == "type":
        subject = _field(left.args[0])
        return [Claim(subject[0], Condition("type", "", (dotted(right),), wanted))] if subject else []
    return _equality(left, right, wanted=wanted)


def _equality(left: ast.expr, right: ast.expr, *, wanted: bool) -> list[Claim]:
    value = constant(right)
    if value is _NOTHING:
        return []
    subject = _field(left)
    if subject is None or not subject[1]:
        first = _of_element(left) if isinstance(value, str) else None
        return [Claim(first[0], Condition("first", first[1], (first[2], value), wanted))] if first else []
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
    found = [Claim(name, Condition("call", "", (value,), wanted)) for name in names]
    method = test.func
    if isinstance(method, ast.Attribute) and isinstance(method.value, ast.Name) and not test.args:
        found.append(Claim(method.value.id, Condition("call", method.attr, (value,), wanted)))
    return found


def pattern_claims(subject: ast.expr, pattern: ast.pattern, past: Sequence[ast.pattern]) -> list[Claim]:
    """What a case says about its subject: that it is of this class or value, and of none of those before."""
    found = [(pattern, True), *((before, False) for before in past)]
    field = _field(subject)
    if field is None:
        return []
    claimed = [(_condition(field[1], known, wanted=wanted), field[0]) for known, wanted in found]
    return [Claim(name, condition) for condition, name in claimed if condition is not None]


def _condition(field: str, pattern: ast.pattern, *, wanted: bool) -> Condition | None:
    parts = pattern.patterns if isinstance(pattern, ast.MatchOr) else [pattern]
    kinds = [dotted(part.cls) for part in parts if isinstance(part, ast.MatchClass) and (wanted or not _inner(part))]
    values = [constant(part.value) for part in parts if isinstance(part, ast.MatchValue)]
    if not field and len(kinds) == len(parts):
        return Condition("type", "", tuple(kinds), wanted)
    if field and len(values) == len(parts) and _NOTHING not in values:
        return Condition("is", field, tuple(values), wanted)
    return None


def _inner(pattern: ast.MatchClass) -> bool:
    """The pattern asks for more than the class."""
    return not all(map(takes_all, [*pattern.patterns, *pattern.kwd_patterns]))


_NOTHING = object()


def constant(node: ast.expr) -> object:
    """A constant's value, `$NAME` for a named one, or a private object that equals nothing."""
    if type(node) is ast.Constant:
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
