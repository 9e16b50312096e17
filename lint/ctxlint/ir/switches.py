"""Switches: parameters that are yes or no, and what is only reached for one of the two.

    def collect(self, include_summaries=False):
        if include_summaries:
            return self.messages                       FILTER messages, given include_summaries
        return [m for m in self.messages if ...]       FILTER ..., given not include_summaries
    [m for m in ms if include_summaries or not m.derived]     m: has derived, not wanted, unless include_summaries

What a caller passes decides; here it is only written down.
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from ctxlint.ir.module import Condition, Parameter
from ctxlint.ir.ops import CONST, FILTER, LOOP, PARAM, Op

if TYPE_CHECKING:
    from ctxlint.ir.builder import Builder
    from ctxlint.ir.scope import Scope

Given = tuple[Condition, ...]
GIVEN = "given"
"""The kind of a condition on a parameter of the function itself."""


def flags_of(parameters: Sequence[Parameter], outer: Sequence[Op]) -> frozenset[str]:
    """The parameters that are yes or no, by their default or their annotation."""
    found: list[str] = []
    for name, annotation, default, _ in parameters:
        given = outer[default] if default else None
        if (annotation and "bool" in annotation and "bool" in annotation.split()) or (
            given is not None and given[0] == CONST and isinstance(given[1], bool)
        ):
            found.append(name)
    return frozenset(found)


def switch(builder: Builder, node: ast.expr) -> tuple[str, bool] | None:
    """The switch that a test asks for, and what it is when the test is true."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        inner = switch(builder, node.operand)
        return (inner[0], not inner[1]) if inner is not None else None
    if not isinstance(node, ast.Name) or node.id not in builder.flags:
        return None
    value = builder.known(node.id)
    while value and builder.ops[value][0] == LOOP:
        value = builder.ops[value][1]
    return (node.id, True) if value and builder.ops[value][0] == PARAM else None


def givens(builder: Builder, test: ast.expr, *, wanted: bool) -> Given:
    """What holds about switches where a test is true (`wanted`) or false."""
    if isinstance(test, ast.BoolOp):
        told = isinstance(test.op, ast.And) == wanted
        return tuple(c for value in test.values if told for c in givens(builder, value, wanted=wanted))
    found = switch(builder, test)
    return (Condition(GIVEN, found[0], (), found[1] == wanted),) if found is not None else ()


def between(scope: Scope, above: Scope | None) -> Given:
    """What is given in a scope and those around it, up to `above` (exclusive)."""
    found: Given = ()
    current: Scope | None = scope
    while current is not None and current is not above:
        found = (*current.given, *found)
        current = current.parent
    return found


def under(builder: Builder, value: int, given: Given) -> int:
    """A value that is only reached under what is given."""
    if not value or not given or builder.ops[value][0] == CONST:
        return value
    return builder.emit((FILTER, value, given))


def told_apart(builder: Builder, values: Sequence[int], given: Sequence[Given]) -> list[int]:
    """The values of a name at the end of several ways, each under what its way is given."""
    if len(set(values)) < 2 or not any(given):
        return list(values)
    ways: Mapping[int, list[Given]] = {value: [] for value in values}
    for value, known in zip(values, given, strict=True):
        ways[value].append(known)
    return [under(builder, value, known[0] if len(known) == 1 else ()) for value, known in ways.items()]
