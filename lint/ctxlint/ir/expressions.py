"""Expressions: which value, made of which values."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

from ctxlint.ir import switches
from ctxlint.ir.builder import EXPRESSIONS, Builder
from ctxlint.ir.conditions import Claim, claims, dotted
from ctxlint.ir.keys import is_constant, is_plain, key_of
from ctxlint.ir.ops import ATTR, BUILD, CONCAT, CONST, ELEMENT, FILTER, FORMAT, IN_LIST, ITEM, KEY, PHI, SLICE, TEST
from ctxlint.ir.reached import reached
from ctxlint.ir.scope import Scope
from ctxlint.ir.tasks import is_task

_TESTS = 200
"""So many operands of one `and` tell something about those behind them."""


def _name(builder: Builder, node: ast.Name) -> int:
    # What `Builder.read` does, once more: every third expression is a name.
    name = node.id
    scope: Scope | None = builder.scope
    while scope is not None:
        values = scope.values
        if name in values:
            return values[name]
        if scope.loop:
            value = builder.at_head(scope, name)
            return builder.free(name) if value is None else value
        scope = scope.parent
    return builder.free(name)


def _constant(builder: Builder, node: ast.Constant) -> int:
    value = node.value
    if type(value) is not str and value is not None and not is_plain(value):
        return 0
    # The commonest kinds say what `emit` does: a call for each would cost as much as all else.
    ops = builder.ops
    made = len(ops)
    ops.append((CONST, value))
    builder.nodes.append(node)
    return made


def _attribute(builder: Builder, node: ast.Attribute) -> int:
    base, name = node.value, node.attr
    if type(base) is ast.Name:
        root = base.id
        if root in builder.fields:
            held = builder.known(f"{root}.{name}")
            if held:
                return held
        holder = _name(builder, base)
    else:
        holder = builder.lowered[id(base)] = EXPRESSIONS[type(base)](builder, base)
    ops = builder.ops
    value = len(ops)
    ops.append((ATTR, holder, name))
    builder.nodes.append(node)
    builder.ledger.attributes[name].append((builder.index, value))
    return value


def _subscript(builder: Builder, node: ast.Subscript) -> int:
    part = node.slice
    if type(part) is ast.Tuple and dotted(node.value).rpartition(".")[2] == "Union":
        return builder.emit((CONCAT, tuple([builder.expr(each) for each in part.elts])), node)
    base = builder.base(node.value)
    if type(part) is ast.Slice:
        _bounds(builder, part)
        value = builder.emit((SLICE, base, _lower(part)), node)
        if builder.ops[value][2]:
            builder.ledger.tests.append((builder.index, value))
    else:
        key: str | int | None = key_of(part)
        asked = 0 if is_constant(part) else builder.expr(part)
        value = builder.emit((ITEM, base, key, asked) if key is None and asked else (ITEM, base, key), node)
        if type(key) is str:
            builder.ledger.keys[key].append((builder.index, value))
    return value


def _lower(node: ast.Slice) -> int | str | None:
    """From where on: `[1:]` is 1, `[self.done:]` is "self.done"; from the end or in steps is not known."""
    if node.step is not None:
        return None
    match node.lower:
        case None:
            return 0
        case ast.Constant(value=int(number)):
            return number if is_plain(number) else None
        case lower:
            return dotted(lower) or None


def _bounds(builder: Builder, node: ast.Slice) -> int:
    for bound in (node.lower, node.upper, node.step):
        if bound is not None and not is_constant(bound):
            builder.expr(bound)
    return 0


def _binary(builder: Builder, node: ast.BinOp) -> int:
    operands: list[ast.expr] = []
    left: ast.expr = node
    # Chains of thousands of `+` lean to the left: walk them, do not recurse.
    while isinstance(left, ast.BinOp):
        operands.append(left.right)
        left = left.left
    operands.append(left)
    values = tuple(builder.expr(operand) for operand in reversed(operands))
    return builder.emit((FORMAT if isinstance(node.op, ast.Mod) else CONCAT, values), node)


def _boolean(builder: Builder, node: ast.BoolOp) -> int:
    values = [builder.expr(node.values[0])]
    base = builder.scope
    for position, (previous, operand) in enumerate(pairwise(node.values)):
        if position < _TESTS:  # a variable is looked for in each branch around the one that reads it
            builder.scope = builder.branch()
            assume(builder, previous, wanted=isinstance(node.op, ast.And))
        values.append(builder.expr(operand))
    branch, builder.scope = builder.scope, base
    builder.merge(base, [branch, builder.branch()])
    return builder.emit((PHI, tuple(dict.fromkeys(values))), node)


def _conditional(builder: Builder, node: ast.IfExp) -> int:
    builder.expr(node.test)
    base = builder.scope
    branches: list[Scope] = []
    values: list[int] = []
    for wanted, operand in ((True, node.body), (False, node.orelse)):
        builder.scope = base
        builder.scope = builder.branch()
        assume(builder, node.test, wanted=wanted)
        value = builder.expr(operand)
        values.append(switches.under(builder, value, builder.scope.given))
        branches.append(builder.scope)
    builder.merge(base, branches)
    return builder.emit((PHI, tuple(dict.fromkeys(values))), node)


def assume(builder: Builder, test: ast.expr, *, wanted: bool) -> Sequence[Claim]:
    """Note what is known about variables where `test` is true (`wanted`) or false, and return it."""
    if builder.flags:
        builder.scope.given = (*builder.scope.given, *switches.givens(builder, test, wanted=wanted))
    if builder.options:
        builder.scope.reached = (*builder.scope.reached, *reached(builder, test, wanted=wanted))
    found = claims(builder, test, wanted=wanted)
    if found:
        note_claims(builder, found, test)
    return found


def assume_not(builder: Builder, test: ast.expr, found: Sequence[Claim]) -> None:
    """Note what is known where `test` is false, given what was `found` for where it is true."""
    if type(test) not in _TURNED:
        assume(builder, test, wanted=False)
        return
    if builder.flags:
        builder.scope.given = (*builder.scope.given, *switches.givens(builder, test, wanted=False))
    if builder.options:
        builder.scope.reached = (*builder.scope.reached, *reached(builder, test, wanted=False))
    if found:
        turned = [Claim(name, known._replace(wanted=not known.wanted)) for name, known in found]
        note_claims(builder, turned, test)


_TURNED = frozenset({ast.Compare, ast.Call, ast.Attribute, ast.Subscript})
"""Tests that claim the opposite of the same fields when they are false."""


def note_claims(builder: Builder, found: Sequence[Claim], node: ast.AST) -> None:
    """Let variables be what is claimed about them from here on."""
    if len(found) == 1:
        grouped = {found[0].name: found}
    else:
        several: dict[str, list[Claim]] = {}
        for claim in found:
            several.setdefault(claim.name, []).append(claim)
        grouped = dict[str, Sequence[Claim]](several)
    for name, group in grouped.items():
        value = builder.known(name)
        if value:
            conditions = tuple([claim.condition for claim in group])
            filtered = builder.emit((FILTER, value, conditions), node)
            builder.ledger.tests.append((builder.index, filtered))
            builder.rebind(name, filtered, value)


# What says nothing of its operands, though it may be true or false.
_UNTESTED = frozenset({ast.Dict, ast.List, ast.Tuple, ast.Set, ast.JoinedStr, ast.BinOp, ast.Await})


def _compare(builder: Builder, node: ast.Compare) -> int:
    left = node.left
    EXPRESSIONS[type(left)](builder, left)
    for operand in node.comparators:
        EXPRESSIONS[type(operand)](builder, operand)
    return 0


def _not(builder: Builder, node: ast.UnaryOp) -> int:
    builder.expr(node.operand)
    return 0


def test_value(builder: Builder, node: ast.expr) -> int:
    """The value of an expression that is returned: a test keeps what it says."""
    kind = type(node)
    value = EXPRESSIONS[kind](builder, node)
    if kind is ast.Name or kind is ast.Constant:
        return value
    if kind in _UNTESTED:
        return value
    found = claims(builder, node, wanted=True)
    if kind is ast.Call:
        # `return f(m)` returns what f made; only `return not f(m)` is a test of m.
        found = [claim for claim in found if claim.condition.kind != "call"]
    if not found:
        return value
    tested = builder.emit((TEST, tuple(found), (value,)), node)
    builder.ledger.tests.append((builder.index, tested))
    return tested


def _joined(builder: Builder, node: Any) -> int:
    values: list[int] = []
    for part in node.values:
        if not isinstance(part, ast.Constant):  # of a template where Python has them: the same fields
            inner = part.value
            values.append(EXPRESSIONS[type(inner)](builder, inner))
            if part.format_spec is not None:
                builder.expr(part.format_spec)
        else:
            values.append(builder.expr(part))
    return builder.emit((FORMAT, tuple(values)), node)


def _sequence(builder: Builder, node: ast.List | ast.Tuple | ast.Set) -> int:
    # A tuple has positions as a dict has keys: `return summary, messages` is taken apart by position.
    positions = type(node) is ast.Tuple and ast.Starred not in map(type, node.elts)
    fields: list[tuple[str, int]] = []
    for index, item in enumerate(node.elts):
        if type(item) is ast.Starred:
            fields.append(("", builder.expr(item.value)))
        else:
            fields.append((str(index) if positions else IN_LIST, builder.expr(item)))
    return builder.emit((BUILD, tuple(fields)), node)


def _dict(builder: Builder, node: ast.Dict) -> int:
    fields: list[tuple[str, int]] = []
    for key, item in zip(node.keys, node.values, strict=True):
        if key is None:
            fields.append(("", builder.expr(item)))
            continue
        name = key_of(key)
        held = 0 if is_constant(key) else builder.expr(key)
        if is_task(builder.ops, held):
            fields.append((KEY, held))
        fields.append((IN_LIST if name is None else str(name), builder.expr(item)))
    return builder.emit((BUILD, tuple(fields)), node)


def _passing(builder: Builder, node: ast.Await | ast.Starred) -> int:
    value = node.value
    return EXPRESSIONS[type(value)](builder, value)


def _yield(builder: Builder, node: ast.Yield) -> int:
    if node.value is not None:
        builder.yields.append(builder.expr(node.value))
    return 0


def _yield_from(builder: Builder, node: ast.YieldFrom) -> int:
    builder.yields.append(builder.emit((ELEMENT, builder.expr(node.value)), node))
    return 0


def _walrus(builder: Builder, node: ast.NamedExpr) -> int:
    value = builder.expr(node.value)
    builder.store(node.target, value)
    return value


EXPRESSIONS.update(
    {
        ast.Name: _name,
        ast.Constant: _constant,
        ast.Attribute: _attribute,
        ast.Subscript: _subscript,
        ast.Slice: _bounds,
        ast.BinOp: _binary,
        ast.BoolOp: _boolean,
        ast.IfExp: _conditional,
        ast.Compare: _compare,
        ast.UnaryOp: _not,
        ast.JoinedStr: _joined,
        ast.List: _sequence,
        ast.Tuple: _sequence,
        ast.Set: _sequence,
        ast.Dict: _dict,
        ast.Await: _passing,
        ast.Starred: _passing,
        ast.Yield: _yield,
        ast.YieldFrom: _yield_from,
        ast.NamedExpr: _walrus,
    }
)
EXPRESSIONS.update({getattr(ast, name): _joined for name in ("TemplateStr",) if hasattr(ast, name)})
