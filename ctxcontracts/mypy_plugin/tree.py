"""The nodes below a node of mypy's tree. mypy's own traversers are compiled: no class can derive from them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, cast

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    Expression,
    ForStmt,
    FuncDef,
    FuncItem,
    MypyFile,
    NameExpr,
    Node,
    Var,
)
from mypy.traverser import all_return_statements

_BELOW: Final = (
    # statements
    *("defs", "body", "else_body", "finally_body", "handlers", "bodies", "guards", "subject", "func", "decorators"),
    # what both have
    *("expr", "lvalues", "lvalue", "rvalue", "index", "value", "target"),
    # expressions
    *("callee", "args", "items", "left", "right", "operands", "base", "left_expr", "sequences", "condlists"),
    *("generator", "if_expr", "cond", "else_expr", "key", "begin_index", "end_index", "stride"),
)
"""Fields that hold parts of the program, rather than what mypy found out about it."""


def nodes_below(node: Node, *, into_functions: bool = True) -> Iterator[Node]:
    """A node and everything in it, outermost first, in the order of the fields.

    Args:
        node: where to begin.
        into_functions: whether the bodies of functions count.
    """
    stack: list[object] = [node]
    while stack:
        found = stack.pop()
        if isinstance(found, (list, tuple)):
            stack.extend(reversed(cast("Sequence[object]", found)))
        elif isinstance(found, Node):
            yield found
            if into_functions or not isinstance(found, FuncItem):
                stack.extend(getattr(found, name, None) for name in reversed(_BELOW))


def assigned(file: MypyFile, within: FuncItem | None, variable: Var) -> Iterator[Expression]:
    """Every value that is assigned to a variable, or that it runs over.

    Args:
        file: the file that is checked.
        within: the outermost function around the question; its variables are looked for in it alone.
        variable: the variable.
    """
    found = list(_assigned(nodes_below(within.body), variable)) if within is not None else []
    yield from found or _assigned(nodes_below(file, into_functions=False), variable)


def _assigned(nodes: Iterator[Node], variable: Var) -> Iterator[Expression]:
    for node in nodes:
        if isinstance(node, AssignmentStmt):
            if any(isinstance(target, NameExpr) and target.node is variable for target in node.lvalues):
                yield node.rvalue
        elif isinstance(node, AssignmentExpr):
            if node.target.node is variable:
                yield node.value
        elif isinstance(node, ForStmt) and isinstance(node.index, NameExpr) and node.index.node is variable:
            yield node.expr


def returned(function: FuncDef) -> Iterator[Expression]:
    """Every value that a function returns."""
    for statement in all_return_statements(function.body):
        if statement.expr is not None:
            yield statement.expr
