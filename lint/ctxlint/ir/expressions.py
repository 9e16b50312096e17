"""Expressions: which value, made of which values."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from ctxlint.ir import switches
from ctxlint.ir.builder import EXPRESSIONS, Builder
from ctxlint.ir.conditions import Claim, claims, dotted
from ctxlint.ir.keys import is_constant, is_plain, key_of
from ctxlint.ir.ops import ATTR, BUILD, CONCAT, CONST, ELEMENT, FILTER, FORMAT, IN_LIST, ITEM, PHI, SLICE, TEST
from ctxlint.ir.scope import Scope


def _name(builder: Builder, node: ast.Name) -> int:
    return builder.read(node.id)


def _constant(builder: Builder, node: ast.Constant) -> int:
    value = node.value
    return builder.emit((CONST, value), node) if type(value) is str or value is None or is_plain(value) else 0


def _attribute(builder: Builder, node: ast.Attribute) -> int:
    base = node.value
    if type(base) is ast.Name and base.id in builder.fields:
        held = builder.known(f"{base.id}.{node.attr}")
        if held:
            return held
    value = builder.emit((ATTR, builder.expr(base), node.attr), node)
    builder.ledger.attributes[node.attr].append((builder.index, value))
    return value


def _subscript(builder: Builder, node: ast.Subscript) -> int:
    if isinstance(node.slice, ast.Tuple) and dotted(node.value).rpartition(".")[2] == "Union":
        return builder.emit((CONCAT, tuple(builder.expr(part) for part in node.slice.elts)), node)
    base = builder.expr(node.value)
    if isinstance(node.slice, ast.Slice):
        _bounds(builder, node.slice)
        value = builder.emit((SLICE, base, _lower(node.slice)), node)
        if builder.ops[value][2]:
            builder.ledger.tests.append((builder.index, value))
        return value
    key = key_of(node.slice)
    if not is_constant(node.slice):
        builder.expr(node.slice)
    value = builder.emit((ITEM, base, key), node)
    if isinstance(key, str):
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
    for previous, operand in zip(node.values, node.values[1:], strict=False):
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


def assume(builder: Builder, test: ast.expr, *, wanted: bool) -> None:
    """Note what is known about variables where `test` is true (`wanted`) or false."""
    if builder.flags:
        builder.scope.given = (*builder.scope.given, *switches.givens(builder, test, wanted=wanted))
    note_claims(builder, claims(builder, test, wanted=wanted), test)


def note_claims(builder: Builder, found: Sequence[Claim], node: ast.AST) -> None:
    """Let variables be what is claimed about them from here on."""
    if not found:
        return
    grouped: dict[str, list[Claim]] = {}
    for claim in found:
        grouped.setdefault(claim.name, []).append(claim)
    for name, group in grouped.items():
        value = builder.known(name)
        if value:
            conditions = tuple(claim.condition for claim in group)
            filtered = builder.emit((FILTER, value, conditions), node)
            builder.ledger.tests.append((builder.index, filtered))
            builder.rebind(name, filtered)


def _compare(builder: Builder, node: ast.Compare) -> int:
    builder.expr(node.left)
    for operand in node.comparators:
        builder.expr(operand)
    return 0


def _not(builder: Builder, node: ast.UnaryOp) -> int:
    builder.expr(node.operand)
    return 0


def test_value(builder: Builder, node: ast.expr) -> int:
    """The value of an expression that is returned: a test keeps what it says."""
    value = builder.expr(node)
    kind = type(node)
    if kind is ast.Name or kind is ast.Constant:
        return value
    found = claims(builder, node, wanted=True)
    if isinstance(node, ast.Call):
        # `return f(m)` returns what f made; only `return not f(m)` is a test of m.
        found = [claim for claim in found if claim.condition.kind != "call"]
    if not found:
        return value
    tested = builder.emit((TEST, tuple(found), (value,)), node)
    builder.ledger.tests.append((builder.index, tested))
    return tested


def _joined(builder: Builder, node: ast.JoinedStr) -> int:
    values: list[int] = []
    for part in node.values:
        if type(part) is ast.FormattedValue:
            values.append(builder.expr(part.value))
            if part.format_spec is not None:
                builder.expr(part.format_spec)
        else:
            values.append(builder.expr(part))
    return builder.emit((FORMAT, tuple(values)), node)


def _sequence(builder: Builder, node: ast.List | ast.Tuple | ast.Set) -> int:
    # A tuple has positions as a dict has keys: `return summary, messages` is taken apart by position.
    positions = isinstance(node, ast.Tuple) and not any(isinstance(item, ast.Starred) for item in node.elts)
    fields: list[tuple[str, int]] = []
    for index, item in enumerate(node.elts):
        if isinstance(item, ast.Starred):
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
        if not is_constant(key):
            builder.expr(key)
        fields.append((IN_LIST if name is None else str(name), builder.expr(item)))
    return builder.emit((BUILD, tuple(fields)), node)


def _passing(builder: Builder, node: ast.Await | ast.Starred) -> int:
    return builder.expr(node.value)


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
