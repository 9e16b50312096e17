"""Which of the values that a variable is given it may hold at one place.

    text = question.strip()
    for span in window:
        buffer.observe(user_text(text))      # question.strip(), or, in a later round, expose(span.text)
        text = expose(span.text)
    text = "done"
    buffer.observe(user_text(text))          # "done" alone

A walk over the statements in their order, of a loop twice. Where an exception is caught, all that was assigned up to
there counts; what a call does to a variable of the function around it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

from mypy.nodes import (
    AssertStmt,
    AssignmentStmt,
    Block,
    BreakStmt,
    ContinueStmt,
    Decorator,
    DelStmt,
    Expression,
    ExpressionStmt,
    ForStmt,
    FuncDef,
    IfStmt,
    ListExpr,
    MatchStmt,
    MypyFile,
    NameExpr,
    Node,
    OperatorAssignmentStmt,
    RaiseStmt,
    ReturnStmt,
    Statement,
    TryStmt,
    TupleExpr,
    Var,
    WhileStmt,
    WithStmt,
)
from mypy.server.subexpr import get_subexpressions

from ctxcontracts.mypy_plugin.assigned import assigned_by, statements_of, walruses
from ctxcontracts.mypy_plugin.tree import statements_below

Values = frozenset[Expression | None]
"""Expressions; `None` is what the variable held before the first statement."""

_NOWHERE: Final[Values] = frozenset()


def reaching(body: Block | MypyFile, use: NameExpr) -> Values:
    """The values that the variable of `use` may hold there; none when `use` is not in this body's own statements."""
    variable = use.node
    if not isinstance(variable, Var):
        return _NOWHERE
    walk = _Walk(use, variable)
    walk.statements(statements_of(body), frozenset({None}))
    return walk.found


class _Loop(NamedTuple):
    """What the variable may hold where a loop is left by `break`, and where it goes on by `continue`."""

    left: set[Expression | None]
    again: set[Expression | None]


class _Walk:
    """One walk, for one use of one variable."""

    def __init__(self, use: NameExpr, variable: Var) -> None:
        self._use = use
        self._variable = variable
        self._loops: list[_Loop] = []
        self.found: Values = _NOWHERE

    def statements(self, block: Iterable[Statement], held: Values) -> Values:
        for statement in block:
            way = _WAYS.get(type(statement))
            if way is not None:
                held = way(self, statement, held)
        return held

    def simple(self, node: Node, held: Values) -> Values:
        """A statement without others in it, or an expression."""
        set_here = [value for target, value in walruses(node) if target.node is self._variable]
        if set_here:
            held = frozenset(set_here)
        if self._use in get_subexpressions(node):
            self.found |= held
        return held

    def assignment(self, node: AssignmentStmt | OperatorAssignmentStmt, held: Values) -> Values:
        held = self.simple(node, held)
        given = [value for target, value in assigned_by(node) if target.node is self._variable]
        if isinstance(node, OperatorAssignmentStmt):
            return held.union(given)
        return frozenset(given) if given or self._names(node.lvalues) else held

    def leaving(self, node: ReturnStmt | RaiseStmt, held: Values) -> Values:
        self.simple(node, held)
        return _NOWHERE

    def jump(self, node: BreakStmt | ContinueStmt, held: Values) -> Values:
        if self._loops:
            loop = self._loops[-1]
            (loop.left if isinstance(node, BreakStmt) else loop.again).update(held)
        return _NOWHERE

    def branches(self, node: IfStmt, held: Values) -> Values:
        ends = _NOWHERE
        for condition, body in zip(node.expr, node.body, strict=True):
            held = self.simple(condition, held)
            ends |= self.statements(body.body, held)
        return ends | (held if node.else_body is None else self.statements(node.else_body.body, held))

    def match(self, node: MatchStmt, held: Values) -> Values:
        held = self.simple(node.subject, held)
        ends = held
        for guard, body in zip(node.guards, node.bodies, strict=True):
            if guard is not None:
                held = self.simple(guard, held)
            ends |= self.statements(body.body, held)
        return ends

    def loop(self, node: ForStmt | WhileStmt, held: Values) -> Values:
        held = self.simple(node.expr, held)
        of_round = [value for target, value in assigned_by(node) if target.node is self._variable]
        self._loops.append(_Loop(set(), set()))
        for _ in range(2):
            begun = frozenset(of_round) if of_round else held
            held |= self.statements(node.body.body, begun) | self._loops[-1].again
            if isinstance(node, WhileStmt):
                held = self.simple(node.expr, held)
        left = self._loops.pop().left
        if isinstance(node, WhileStmt) and isinstance(node.expr, NameExpr) and node.expr.fullname == "builtins.True":
            return frozenset(left)
        return (held if node.else_body is None else self.statements(node.else_body.body, held)) | left

    def attempt(self, node: TryStmt, held: Values) -> Values:
        ends = self.statements(node.body.body, held)
        broken = held | ends | frozenset(self._set_in(node.body))
        if node.else_body is not None:
            ends = self.statements(node.else_body.body, ends)
        for handler in node.handlers:
            ends |= self.statements(handler.body, broken)
        if node.finally_body is None:
            return ends
        self.statements(node.finally_body.body, broken)
        return self.statements(node.finally_body.body, ends)

    def context(self, node: WithStmt, held: Values) -> Values:
        for expr in node.expr:
            held = self.simple(expr, held)
        if self._names(target for target in node.target if target is not None):
            held = _NOWHERE
        return self.statements(node.body.body, held)

    def function(self, node: FuncDef | Decorator, held: Values) -> Values:
        """A function within: when it runs nobody knows, so that only a variable of its own is looked at there."""
        body = (node.func if isinstance(node, Decorator) else node).body
        if any(True for _ in self._set_in(body)) and self._use in get_subexpressions(body):
            self.statements(body.body, frozenset({None}))
        return held

    def _set_in(self, block: Block) -> Iterator[Expression]:
        for statement in [below for inner in block.body for below in statements_below(inner)]:
            yield from (value for target, value in assigned_by(statement) if target.node is self._variable)

    def _names(self, targets: Iterable[Expression]) -> bool:
        """Whether the variable is among what is assigned to."""
        whole = (target for target in targets if isinstance(target, (NameExpr, TupleExpr, ListExpr)))
        names = (name for target in whole for name in get_subexpressions(target))
        return any(isinstance(name, NameExpr) and name.node is self._variable for name in names)


_WAYS: Final[Mapping[type[Statement], Callable[[_Walk, Any, Values], Values]]] = {
    Block: lambda walk, node, held: walk.statements(node.body, held),
    ExpressionStmt: _Walk.simple,
    AssertStmt: _Walk.simple,
    DelStmt: _Walk.simple,
    AssignmentStmt: _Walk.assignment,
    OperatorAssignmentStmt: _Walk.assignment,
    ReturnStmt: _Walk.leaving,
    RaiseStmt: _Walk.leaving,
    BreakStmt: _Walk.jump,
    ContinueStmt: _Walk.jump,
    IfStmt: _Walk.branches,
    MatchStmt: _Walk.match,
    ForStmt: _Walk.loop,
    WhileStmt: _Walk.loop,
    TryStmt: _Walk.attempt,
    WithStmt: _Walk.context,
    FuncDef: _Walk.function,
    Decorator: _Walk.function,
}
