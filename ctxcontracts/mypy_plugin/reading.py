"""Where a summarizer reads derived text by itself: a closure, `expose`, `render`, the default of an option."""

from __future__ import annotations

from mypy.nodes import CallExpr, Expression, FuncItem, NameExpr, Node, Var
from mypy.server.subexpr import get_subexpressions
from mypy.traverser import NameAndMemberCollector

from ctxcontracts.mypy_plugin.carrying import Carrying
from ctxcontracts.mypy_plugin.parts import NO_TEXT


def readings(function: FuncItem, carrying: Carrying) -> list[Expression]:
    """The places in a function where derived text is read that was not passed to it, the first of each line.

    A local variable is no place of its own: what is assigned to it is.
    """
    defaults = [argument.initializer for argument in function.arguments if argument.initializer is not None]
    found = [default for default in defaults if type(default) not in NO_TEXT and carrying.carries(default)]
    derived, may_bring = _references(function, carrying)
    if not derived and not may_bring:
        return found  # most summarizers: mypy collects the names much faster than anything here finds the calls
    lines: set[int] = set()
    for node in get_subexpressions(function.body):
        reads = carrying.brings(node) if isinstance(node, CallExpr) else node in derived
        if reads and node.line not in lines:
            lines.add(node.line)
            found.append(node)
    return found


def _references(function: FuncItem, carrying: Carrying) -> tuple[set[Node], bool]:
    """The names and attributes in a function that are derived, and whether a call may bring what is."""
    collector = NameAndMemberCollector()
    function.body.accept(collector)
    own: set[Node] = {argument.variable for argument in function.arguments}
    outer: list[NameExpr] = []
    may_bring = False
    for name in collector.name_exprs:
        node = name.node
        if type(node) is not Var:
            may_bring = may_bring or carrying.may_bring(name)
        elif name.is_inferred_def or name.is_new_def:
            own.add(node)
        elif node not in own:
            outer.append(name)
    derived: set[Node] = {name for name in outer if name.node not in own and carrying.carries(name)}
    for member in collector.member_exprs:
        may_bring = may_bring or carrying.may_bring(member)
        if isinstance(member.expr, NameExpr) and carrying.is_derived(member):
            derived.add(member)
    return derived, may_bring
