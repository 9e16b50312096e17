"""Calls that are only reached for some values of parameters.

    def add(self, text, infer=True, mode="full"):
        use = infer and self.llm is not None
        if not use or mode == "raw":
            return self.store(text)
        return self.fold(text)              reached where infer is on, and mode is not "raw"

What a caller passes decides; here it is only written down, for each call behind such a test.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ctxlint.ir.module import Condition, Parameter
from ctxlint.ir.ops import CONST, LOOP, PARAM, Op

if TYPE_CHECKING:
    from ctxlint.ir.builder import Builder
    from ctxlint.ir.scope import Scope

Reached = tuple[Condition, ...]
ON = "on"
"""The kind of a condition on whether a parameter is true; `is` is the one on which text it is."""
_CHOICES = frozenset({"str", "Literal", "bool"})


def options_of(parameters: Sequence[Parameter], outer: Sequence[Op]) -> frozenset[str]:
    """The parameters that say how: yes or no, or one of some words."""
    found: list[str] = []
    for name, annotation, default, _ in parameters:
        given = outer[default] if default else None
        if (annotation and not _CHOICES.isdisjoint(annotation.split())) or (
            given is not None and given[0] == CONST and isinstance(given[1], bool | str)
        ):
            found.append(name)
    return frozenset(found)


def reached(builder: Builder, test: ast.expr, *, wanted: bool) -> Reached:
    """What holds about options where a test is true (`wanted`) or false."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return reached(builder, test.operand, wanted=not wanted)
    if isinstance(test, ast.BoolOp):
        told = isinstance(test.op, ast.And) == wanted
        return tuple(c for value in test.values if told for c in reached(builder, value, wanted=wanted))
    if isinstance(test, ast.Name):
        kept = builder.tests.get(builder.known(test.id) or 0)
        if kept is not None:
            return kept[wanted]
        name = _option(builder, test)
        return (Condition(ON, name, (), wanted),) if name else ()
    if isinstance(test, ast.Compare) and len(test.ops) == 1:
        return _compared(builder, test, wanted=wanted)
    return ()


def _compared(builder: Builder, test: ast.Compare, *, wanted: bool) -> Reached:
    """`mode == "raw"`, `mode not in ("raw", "plain")`."""
    name = _option(builder, test.left)
    operator, other = test.ops[0], test.comparators[0]
    if isinstance(operator, ast.Eq | ast.NotEq):
        words: list[ast.expr] = [other]
    elif isinstance(operator, ast.In | ast.NotIn) and isinstance(other, ast.Tuple | ast.List | ast.Set):
        words = other.elts
    else:
        return ()
    texts = tuple(word.value for word in words if isinstance(word, ast.Constant) and isinstance(word.value, str))
    if not name or len(texts) < len(words):
        return ()
    return (Condition("is", name, texts, isinstance(operator, ast.Eq | ast.In) == wanted),)


def _option(builder: Builder, node: ast.expr) -> str:
    """The parameter that a name still is."""
    if not isinstance(node, ast.Name) or node.id not in builder.options:
        return ""
    value = builder.known(node.id)
    while value and builder.ops[value][0] == LOOP:
        value = builder.ops[value][1]
    return node.id if value and builder.ops[value][0] == PARAM else ""


def here(scope: Scope, above: Scope | None) -> Reached:
    """What holds in a scope and those around it, up to `above` (exclusive)."""
    found: Reached = ()
    current: Scope | None = scope
    while current is not None and current is not above:
        found = (*current.reached, *found)
        current = current.parent
    return found
