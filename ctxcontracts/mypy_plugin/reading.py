"""Where a summarizer reads derived text by itself: a closure, `expose`, `render`, the default of an option."""

from __future__ import annotations

from collections.abc import Iterator

from mypy.nodes import CallExpr, Expression, FuncItem, MemberExpr, NameExpr, Node, Var
from mypy.traverser import NameAndMemberCollector

from ctxcontracts.mypy_plugin.carrying import Carrying
from ctxcontracts.mypy_plugin.tree import nodes_below


def readings(function: FuncItem, carrying: Carrying) -> Iterator[Expression]:
    """The places in a function where derived text is read that was not passed to it, the first of each line.

    A local variable is no place of its own: what is assigned to it is.
    """
    for argument in function.arguments:
        if argument.initializer is not None and carrying.carries(argument.initializer):
            yield argument.initializer
    names, members = _references(function)
    own: set[Node | None] = {argument.variable for argument in function.arguments}
    own.update(node.node for node in names if node.is_inferred_def or node.is_new_def)
    derived: set[Node] = {
        node for node in names if isinstance(node.node, Var) and node.node not in own and carrying.carries(node)
    }
    derived.update(node for node in members if isinstance(node.expr, NameExpr) and carrying.is_derived(node))
    if not derived and not any(map(carrying.may_bring, names)) and not any(map(carrying.may_bring, members)):
        return  # most summarizers: mypy collects the names much faster than anything here finds the calls
    lines: set[int] = set()
    for node in nodes_below(function.body):
        reads = carrying.brings(node) if isinstance(node, CallExpr) else node in derived
        if reads and node.line not in lines and isinstance(node, Expression):
            lines.add(node.line)
            yield node


def _references(function: FuncItem) -> tuple[list[NameExpr], list[MemberExpr]]:
    """All names and all attributes in the body of a function."""
    collector = NameAndMemberCollector()
    function.body.accept(collector)
    return collector.name_exprs, collector.member_exprs
