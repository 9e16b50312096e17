"""The nodes below a node of mypy's tree. mypy's own traversers are compiled: no class can derive from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import ClassVar, Final, cast

from mypy.nodes import (
    AssignmentExpr,
    AssignmentStmt,
    Block,
    Expression,
    ForStmt,
    FuncDef,
    FuncItem,
    MypyFile,
    NameExpr,
    Node,
    Var,
)
from mypy.server.subexpr import get_subexpressions
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

_BLOCKS: Final = ("defs", "body", "else_body", "finally_body", "handlers", "bodies", "func", "items")
"""Fields of statements that hold statements."""

_KEPT: Final = 3
"""A file is checked function by function: its top level and the last few functions are asked for again."""


class _Below(dict[type, Callable[[object], tuple[object, ...]] | None]):
    """By class: what gives the parts of a part of the tree, last first; nothing for what is no part of it."""

    def __init__(self, names: tuple[str, ...]) -> None:
        super().__init__()
        self._names = names[::-1]

    def __missing__(self, kind: type) -> Callable[[object], tuple[object, ...]] | None:
        found: Callable[[object], tuple[object, ...]] | None = None
        if issubclass(kind, (list, tuple)):
            found = _last_first
        elif issubclass(kind, Node):
            fields = [name for name in self._names if hasattr(kind, name)]
            # of a single field attrgetter gives no tuple: the line, a number, is passed over
            found = attrgetter("line", *fields) if fields else _nothing
        self[kind] = found
        return found


def _last_first(part: object) -> tuple[object, ...]:
    return cast("tuple[object, ...]", part)[::-1]


def _nothing(_part: object) -> tuple[object, ...]:
    return ()


_nodes: Final = _Below(_BELOW)
_statements: Final = _Below(_BLOCKS)


def nodes_below(node: Node, *, into_functions: bool = True, of: _Below = _nodes) -> list[Node]:
    """A node and everything in it, outermost first, in the order of the fields.

    Args:
        node: where to begin.
        into_functions: whether the bodies of functions count.
        of: which parts.
    """
    found: list[Node] = []
    stack: list[object] = [node]
    while stack:
        part = stack.pop()
        below = of[type(part)]
        if below is None:
            continue
        if below is not _last_first:
            found.append(cast("Node", part))
            if not into_functions and isinstance(part, FuncItem):
                continue
        stack += below(part)
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
        found = self._values.get(variable.name)
        return [value for target, value in found if target.node is variable] if found else []

    @classmethod
    def within(cls, file: MypyFile, function: FuncItem | None) -> Assignments:
        """Those of a function, or of the top level of a file; the last ones are kept."""
        root: object = file.defs if function is None else function.body
        for known, assignments in cls._last:
            if known is root:
                return assignments
        nodes = nodes_below(file, into_functions=False) if function is None else _in_body(function.body)
        made = cls(node for node in nodes if type(node) in _ASSIGNING)
        cls._last[:] = [*cls._last[-_KEPT:], (root, made)]
        return made


def _in_body(body: Block) -> list[Node]:
    """The statements and the expressions below a block: mypy finds the expressions, which are many, much faster."""
    return [*nodes_below(body, of=_statements), *get_subexpressions(body)]


_ASSIGNING: Final = frozenset({AssignmentStmt, AssignmentExpr, ForStmt})


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
