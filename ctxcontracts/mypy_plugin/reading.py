"""Where a summarizer reads derived text by itself: a closure, `expose`, `render`, the default of an option."""

from __future__ import annotations

from collections.abc import Iterator

from mypy.nodes import CallExpr, Expression, FuncItem, NameExpr, Var

from ctxcontracts.mypy_plugin.carrying import Carrying
from ctxcontracts.mypy_plugin.tree import nodes_below


def readings(function: FuncItem, carrying: Carrying) -> Iterator[Expression]:
    """The places in a function where derived text is read that was not passed to it, the outermost of each line."""
    for argument in function.arguments:
        if argument.initializer is not None and carrying.carries(argument.initializer):
            yield argument.initializer
    lines: set[int] = set()
    own = {argument.variable for argument in function.arguments}
    for node in nodes_below(function.body):
        if not isinstance(node, (CallExpr, NameExpr)) or node.line in lines:
            continue
        if isinstance(node, NameExpr) and (node.node in own or not isinstance(node.node, Var)):
            continue  # of a wrong annotation of its own mypy speaks
        if carrying.carries(node):
            lines.add(node.line)
            yield node
