"""Where a summarizer reads derived text by itself: a closure, `expose`, `render`, the default of an option."""

from __future__ import annotations

from collections.abc import Iterator

from mypy.nodes import CallExpr, Expression, FuncItem, MemberExpr, NameExpr, Node, Var

from ctxcontracts.mypy_plugin.carrying import Carrying
from ctxcontracts.mypy_plugin.tree import nodes_below


def readings(function: FuncItem, carrying: Carrying) -> Iterator[Expression]:
    """The places in a function where derived text is read that was not passed to it, the first of each line.

    A local variable is no place of its own: what is assigned to it is.
    """
    for argument in function.arguments:
        if argument.initializer is not None and carrying.carries(argument.initializer):
            yield argument.initializer
    nodes = nodes_below(function.body)
    own: set[Node | None] = {argument.variable for argument in function.arguments}
    own.update(
        node.node for node in nodes if isinstance(node, NameExpr) and (node.is_inferred_def or node.is_new_def)
    )
    lines: set[int] = set()
    for node in nodes:
        if isinstance(node, NameExpr):
            reads = isinstance(node.node, Var) and node.node not in own and carrying.carries(node)
        elif isinstance(node, CallExpr):
            reads = carrying.brings(node)
        else:
            reads = isinstance(node, MemberExpr) and isinstance(node.expr, NameExpr) and carrying.is_derived(node)
        if reads and node.line not in lines and isinstance(node, Expression):
            lines.add(node.line)
            yield node
