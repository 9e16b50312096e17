"""What is given to the variables of a function, or of the top level of a file."""

from __future__ import annotations

import sys
from typing import Any, ClassVar, Final

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    Block,
    CallExpr,
    ClassDef,
    Decorator,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    GlobalDecl,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    NonlocalDecl,
    OperatorAssignmentStmt,
    OverloadedFuncDef,
    ReturnStmt,
    Statement,
    TupleExpr,
    Var,
    YieldExpr,
    YieldFromExpr,
)
from mypy.server.subexpr import get_subexpressions

from ctxcontracts.mypy_plugin.tree import statements_below

_KEPT: Final = 3
"""A file is checked function by function: its top level and the last few functions are asked for again."""

_ADDING: Final = frozenset({"append", "appendleft", "add", "extend", "insert", "put", "put_nowait", "write"})
"""Methods that put what they are given into what they are called on."""


_ASSIGNING: Final = frozenset({AssignmentStmt, ForStmt, OperatorAssignmentStmt})
_FUNCTIONS: Final = frozenset({FuncDef, Decorator})
_OPAQUE: Final = (FuncDef, Decorator, OverloadedFuncDef, ClassDef)


Given = tuple[NameExpr, Expression]
"""A variable where it is given a value, and the value."""


class Assigned:
    """What a function, or the top level of a file, assigns and returns: its statements, read once.

    All is kept by name, and looked up by the variable: `dmypy` makes new variables for the same tree.
    """

    _last: ClassVar[dict[Block | MypyFile, Assigned]] = {}

    def __init__(self, root: Block | MypyFile) -> None:
        self.root = root
        self.returned: list[Expression] = []
        self.inner: list[FuncDef] = []
        self._values: dict[str, list[Given]] = {}
        self._added: dict[str, list[Given]] = {}
        self._walruses: dict[str, list[Given]] | None = None
        self._elsewhere: dict[str, list[Given]] | None = None
        self.statements: list[Statement] = statements_of(root)
        self._unread = self.statements[::-1]

    def read_up_to(self, line: int) -> None:
        """What comes later in a body is assigned later; all of a loop is read with its first line."""
        while self._unread and self._unread[-1].line <= line:
            for node in statements_below(self._unread.pop()):
                self._read(node)

    def _read(self, node: Any) -> None:
        kind = node.__class__
        if kind is ReturnStmt:
            if node.expr is not None:
                self.returned.append(node.expr)
        elif kind is ExpressionStmt:
            self._read_expression(node.expr)
        elif kind in _ASSIGNING:
            for target, value in assigned_by(node):
                self._values.setdefault(target.name, []).append((target, value))
        elif kind in _FUNCTIONS and isinstance(self.root, Block):
            self._read_inner(node.func if kind is Decorator else node)

    def _read_expression(self, expr: Expression) -> None:
        if isinstance(expr, CallExpr):
            callee = expr.callee
            if isinstance(callee, MemberExpr) and isinstance(callee.expr, NameExpr) and callee.name in _ADDING:
                self._added.setdefault(callee.expr.name, []).extend((callee.expr, arg) for arg in expr.args[-1:])
        elif isinstance(expr, (YieldExpr, YieldFromExpr)) and expr.expr is not None:
            self.returned.append(expr.expr)

    def _read_inner(self, function: FuncDef) -> None:
        """A function within this one: what it assigns counts, what it returns does not."""
        self.inner.append(function)
        self._elsewhere = None
        returned = self.returned
        self.returned = []
        for statement in function.body.body:
            for node in statements_below(statement):
                self._read(node)
        self.returned = returned

    def to(self, variable: Var) -> list[Expression]:
        """Every value that is assigned to a variable, or that it runs over.

        `:=` counts where nothing else assigns the variable, since to look for it is to look at every expression.
        """
        found = self._values.get(variable.name)
        if not found:
            if variable.is_argument or variable.is_index_var:
                return []
            found = self._by_walrus().get(variable.name, [])
        return [value for target, value in found if target.node is variable]

    def elsewhere(self, variable: Var) -> list[Expression]:
        """Every value that a function within assigns to a variable by `global` or `nonlocal`."""
        if self._elsewhere is None:
            self._elsewhere = {}
            functions = self.inner if isinstance(self.root, Block) else _functions_of(self.root)
            for given in [given for function in functions for given in _outer_assigned(function)]:
                self._elsewhere.setdefault(given[0].name, []).append(given)
        return [value for target, value in self._elsewhere.get(variable.name, ()) if target.node is variable]

    def into(self, variable: Var) -> list[Expression]:
        """Every value that is put into what a variable holds, by `append` and its like."""
        found = self._added.get(variable.name)
        return [value for target, value in found if target.node is variable] if found else []

    def all_of(self, variable: Var) -> list[Expression]:
        """All of these: nothing, for most variables."""
        if not self.inner and isinstance(self.root, Block):
            name = variable.name
            if name in self._values:
                return self.to(variable) + self.into(variable) if name in self._added else self.to(variable)
            if variable.is_argument and name not in self._added:
                return []
        return self.to(variable) + self.into(variable) + self.elsewhere(variable)

    def _by_walrus(self) -> dict[str, list[Given]]:
        if self._walruses is None:
            self._walruses = {}
            of_file = self.root.defs if isinstance(self.root, MypyFile) else ()
            for node in [self.root] if isinstance(self.root, Block) else of_file:
                for given in () if isinstance(node, _OPAQUE) else walruses(node):
                    self._walruses.setdefault(given[0].name, []).append(given)
        return self._walruses

    @classmethod
    def within(cls, root: Block | MypyFile, line: int = sys.maxsize) -> Assigned:
        """Those of the body of a function or of a file, up to a line; the last ones are kept."""
        assigned = cls._last.get(root)
        if assigned is None or assigned.statements is not statements_of(root):  # dmypy gives a file new ones
            assigned = cls(root)
            while len(cls._last) > _KEPT:
                del cls._last[next(iter(cls._last))]
            cls._last[root] = assigned
        assigned.read_up_to(line)
        return assigned


def statements_of(root: Block | MypyFile) -> list[Statement]:
    """The statements of the body of a function, or of a file."""
    return root.body if isinstance(root, Block) else root.defs


def assigned_by(node: Any) -> list[Given]:
    """What a statement assigns to variables: a pair of displays is taken apart, any other unpacking is not."""
    kind = node.__class__
    if kind is AssignmentStmt:
        found = [(target, node.rvalue) for target in node.lvalues if type(target) is NameExpr]
        return found or [given for target in node.lvalues for given in _unpacked(target, node.rvalue)]
    if kind is ForStmt:
        return [(node.index, node.expr)] if type(node.index) is NameExpr else []
    is_changed = kind is OperatorAssignmentStmt and type(node.lvalue) is NameExpr
    return [(node.lvalue, node.rvalue)] if is_changed else []


def _unpacked(target: Expression, value: Expression) -> list[Given]:
    if not isinstance(target, (TupleExpr, ListExpr)) or not isinstance(value, (TupleExpr, ListExpr)):
        return []
    pairs = zip(target.items, value.items, strict=False)
    return [(name, item) for name, item in pairs if isinstance(name, NameExpr)]


def _functions_of(file: MypyFile) -> list[FuncDef]:
    nodes = [below for statement in file.defs for below in statements_below(statement)]
    functions = [node.func if isinstance(node, Decorator) else node for node in nodes]
    return [function for function in functions if isinstance(function, FuncDef)]


def _outer_assigned(function: FuncDef) -> list[Given]:
    """What a function assigns to variables that are not its own."""
    nodes = [below for statement in function.body.body for below in statements_below(statement)]
    names = {name for node in nodes if isinstance(node, (GlobalDecl, NonlocalDecl)) for name in node.names}
    return [given for node in nodes if names for given in assigned_by(node) if given[0].name in names]


def walruses(node: Node) -> list[Given]:
    """What `:=` assigns in a statement or an expression."""
    return [(expr.target, expr.value) for expr in get_subexpressions(node) if type(expr) is AssignmentExpr]
