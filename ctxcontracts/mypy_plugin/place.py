"""Where in a program a question is asked, and what is known there."""

from __future__ import annotations

import sys
from collections.abc import Callable

from mypy.nodes import (
    GDEF,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    RefExpr,
    Var,
)
from mypy.types import Type

from ctxcontracts.mypy_plugin.assigned import Assigned

Lookup = Callable[[Expression], Type | None]


class Place:
    """Where a question is asked.

    Args:
        file: the file that is checked.
        lookup: the type that mypy found for an expression, if it did. Inside of functions it often did not yet.
        within: the outermost function around the place, if any.
        line: after which nothing of that function counts.
    """

    __slots__ = ("_assigned", "file", "line", "lookup", "within")

    def __init__(self, file: MypyFile, lookup: Lookup, within: FuncItem | None, line: int = sys.maxsize) -> None:
        self.file: MypyFile = file
        self.lookup: Lookup = lookup
        self.within: FuncItem | None = within
        self.line: int = line
        self._assigned: Assigned | None = None

    def type_of(self, expr: RefExpr) -> Type | None:
        """What mypy found for a name or an attribute, else what its variable or field is declared or inferred as."""
        found = self.lookup(expr)
        if found is not None:
            return found
        node = expr.node
        if isinstance(expr, MemberExpr) and isinstance(expr.expr, NameExpr) and self.within is not None:
            own = isinstance(expr.expr.node, Var) and expr.expr.node.is_self
            field = self.within.info.get(expr.name) if own and self.within.info else None
            node = node if field is None else field.node
        return node.type if isinstance(node, Var) else None

    def assigned(self, name: NameExpr) -> Assigned:
        """The statements that may assign a variable."""
        if self.within is None or name.kind == GDEF:
            return Assigned.within(self.file)
        if self._assigned is None:
            self._assigned = Assigned.within(self.within.body, self.line)
        return self._assigned

    def function(self, node: Node | None) -> FuncDef | None:
        """The function of this file that a name stands for, if it does."""
        function = node.func if isinstance(node, Decorator) else node
        if not isinstance(function, FuncDef) or not function.fullname.startswith(f"{self.file.fullname}."):
            return None
        return function

    def inside(self, function: FuncDef) -> Place:
        """The same for the body of a function; one within the function around the place belongs to that."""
        is_inner = (
            self.within is not None and not function.info and function in Assigned.within(self.within.body).inner
        )
        return self if is_inner else Place(self.file, self.lookup, function)
