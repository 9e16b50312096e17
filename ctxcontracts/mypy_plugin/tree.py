"""The nodes below a node of mypy's tree. mypy's own traversers are compiled: no class can derive from them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar, Final, cast

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

_KEPT: Final = 3
"""A file is checked function by function: its top level and the last few functions are asked for again."""


_fields: dict[type, tuple[str, ...]] = {}


def _fields_of(kind: type) -> tuple[str, ...]:
    """Which of these fields the nodes of a class have, last first."""
    found = _fields[kind] = tuple(name for name in reversed(_BELOW) if hasattr(kind, name))
    return found


def nodes_below(node: Node, *, into_functions: bool = True) -> list[Node]:
    """A node and everything in it, outermost first, in the order of the fields.

    Args:
        node: where to begin.
        into_functions: whether the bodies of functions count.
    """
    found: list[Node] = []
    stack: list[object] = [node]
    while stack:
        part = stack.pop()
        kind = type(part)
        if kind is list or kind is tuple:
            stack += cast("list[object]", part)[::-1]
            continue
        if not isinstance(part, Node):
            continue
        found.append(part)
        fields = _fields.get(kind)
        if fields is None:
            fields = _fields_of(kind)
        if fields and (into_functions or not isinstance(part, FuncItem)):
            stack += [getattr(part, name) for name in fields]
    return found


class Assignments:
    """What is assigned to the variables of a function or of the top level of a file, read once.

    They are kept by name, and looked up by the variable: `dmypy` makes new variables for the same tree.
    """

    _last: ClassVar[list[tuple[object, Assignments]]] = []

    def __init__(self, nodes: Iterable[Node]) -> None:
        self._values: dict[str, list[tuple[NameExpr, Expression]]] = {}
        for node in nodes:
            for target, value in _assignments(node):
                self._values.setdefault(target.name, []).append((target, value))

    def of(self, variable: Var) -> list[Expression]:
        """Every value that is assigned to a variable, or that it runs over."""
        return [value for target, value in self._values.get(variable.name, ()) if target.node is variable]

    @classmethod
    def within(cls, file: MypyFile, function: FuncItem | None) -> Assignments:
        """Those of a function, or of the top level of a file; the last ones are kept."""
        root: object = file.defs if function is None else function.body
        for known, assignments in cls._last:
            if known is root:
                return assignments
        nodes = nodes_below(file, into_functions=False) if function is None else nodes_below(function.body)
        made = cls(nodes)
        cls._last[:] = [*cls._last[-_KEPT:], (root, made)]
        return made


def _assignments(node: Node) -> Iterator[tuple[NameExpr, Expression]]:
    if isinstance(node, AssignmentStmt):
        yield from ((target, node.rvalue) for target in node.lvalues if isinstance(target, NameExpr))
    elif isinstance(node, AssignmentExpr):
        yield node.target, node.value
    elif isinstance(node, ForStmt) and isinstance(node.index, NameExpr):
        yield node.index, node.expr


def returned(function: FuncDef) -> Iterator[Expression]:
    """Every value that a function returns."""
    for statement in all_return_statements(function.body):
        if statement.expr is not None:
            yield statement.expr
