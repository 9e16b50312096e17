"""A first look: whether anything derived is near an expression at all, before the ways from it are followed.

Most texts are of users and tools, and most of the time goes into finding that out. So this is one flat loop, which
takes every way that `carrying` takes and remembers none of them: what it stops carries nothing, and what it lets pass
may still carry nothing.
"""

from __future__ import annotations

from typing import Any, Final

from mypy.nodes import (
    CallExpr,
    Decorator,
    Expression,
    FuncDef,
    MemberExpr,
    NameExpr,
    Node,
    StrExpr,
    TypeInfo,
    Var,
)
from mypy.types import CallableType, Instance

from ctxcontracts.mypy_plugin.assigned import Assigned
from ctxcontracts.mypy_plugin.kinds import Kind, kind_of
from ctxcontracts.mypy_plugin.names import DERIVED, EXPOSE
from ctxcontracts.mypy_plugin.parts import DISPLAYS, NO_TEXT, PARTS, PASSING
from ctxcontracts.mypy_plugin.place import Place

_FUNCTIONS: Final = frozenset({FuncDef, Decorator})


def may_carry(pending: list[Any], place: Place, seen: set[Node]) -> bool:  # noqa: C901, PLR0912 - calls cost more
    """Whether a way from something derived to one of the expressions is worth looking for.

    Args:
        pending: the expressions; emptied.
        place: where they stand.
        seen: the variables and functions that were looked at already.
    """
    lookup = place.lookup
    while pending:
        part = pending.pop()
        kind = part.__class__
        if kind in NO_TEXT or part is None:
            continue
        if kind is NameExpr:
            node = part.node
            if type(node) is not Var or node.is_self:
                continue
            if node not in seen:
                seen.add(node)
                pending += place.assigned(part).all_of(node)
            found = node.type  # what it is narrowed to by an assignment is the type of that value
        elif kind is CallExpr:
            callee = part.callee
            if type(callee) is MemberExpr and type(callee.expr) is StrExpr:  # an f-string, for one
                pending += part.args
                continue
            if _brings(callee, part.args, pending, place, seen):
                return True
            found = lookup(part)
        elif kind in DISPLAYS:
            pending += DISPLAYS[kind](part)
            continue
        elif kind is MemberExpr:
            pending.append(part.expr)
            found = lookup(part) or place.type_of(part)
        else:
            pending += PARTS[kind](part) if kind in PARTS else ()
            found = lookup(part)
        if type(found) is Instance and not found.args:  # by far the most types are
            if found.type.fullname in DERIVED:
                return True
        elif found is not None and type(found) is not CallableType and kind_of(found) is Kind.DERIVED:
            return True
    return False


def _brings(callee: Any, args: list[Expression], pending: list[Any], place: Place, seen: set[Node]) -> bool:
    """Whether a call brings derived text by itself; what it passes on is pending then."""
    kind = callee.__class__
    if kind is not NameExpr and kind is not MemberExpr:
        return False
    node = callee.node
    if node is None:  # a method of a value
        if callee.name == "render":
            return True
        pending += args
        pending.append(callee.expr)
    elif type(node) in _FUNCTIONS:
        if callee.fullname == EXPOSE:
            return True
        function = place.function(node)
        if function is not None:
            pending += args
            if node not in seen:
                seen.add(node)
                return may_carry(Assigned.within(function.body).returned[:], place.inside(function), seen)
        elif callee.fullname in PASSING:
            pending += args
    elif type(node) is TypeInfo or callee.fullname in PASSING:
        pending += args
    return False
