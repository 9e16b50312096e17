"""Whether the value of an expression carries derived text, where its type is only `str`.

    clean(f"so far: {expose(span.text)}")      # carries: an f-string, and a function of this file that passes it on
    ask(f"so far: {expose(span.text)}")        # does not, when `ask` is not of this file: it may be a model's answer

Followed are operators, methods of `str`, displays, lists that are joined, variables by what they may hold at the
place, and functions of the same file that return what they are given. A call of anything else ends the way: its
result is somebody else's text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final

from mypy.nodes import (
    Argument,
    CallExpr,
    Expression,
    FuncDef,
    GeneratorExpr,
    MemberExpr,
    NameExpr,
    Node,
    RefExpr,
    StrExpr,
    SymbolNode,
    TypeInfo,
    Var,
)
from mypy.types import Instance, Type, get_proper_type

from ctxcontracts.mypy_plugin.assigned import Assigned
from ctxcontracts.mypy_plugin.kinds import Kind, holds_no_text, kind_of
from ctxcontracts.mypy_plugin.names import BUFFER, EXPOSE
from ctxcontracts.mypy_plugin.parts import DISPLAYS, FILLING, NO_TEXT, PARTS, PASSING, TAKING
from ctxcontracts.mypy_plugin.place import Place
from ctxcontracts.mypy_plugin.reaching import reaching
from ctxcontracts.mypy_plugin.sources import may_carry

_HOPS: Final = 12


def carries(expr: Expression, place: Place) -> bool:
    """Whether the text of an expression at a place holds derived text."""
    return may_carry([expr], place, set()) and Carrying(place).carries(expr)


class Carrying:
    """The question, for one place in one file: the ways are followed, and the answers kept."""

    def __init__(self, place: Place) -> None:
        self._place = place
        self._given: list[AbstractSet[SymbolNode | None]] = []
        self._asked: set[Node] = set()
        self._known: dict[Expression, bool] = {}
        self._left_open = 0

    def carries(self, expr: Expression) -> bool:
        """Whether the text of an expression holds derived text."""
        return self._holds(expr, _HOPS)

    def _holds(self, expr: Expression, hops: int) -> bool:
        kind = type(expr)
        if kind in NO_TEXT or hops <= 0:
            return kind not in NO_TEXT and self._unanswered()
        if self._given:  # inside of a function or a comprehension the answer is good for this way only
            return self._carries(kind, expr, hops)
        known = self._known.get(expr)
        if known is None:
            unanswered = self._left_open
            known = self._carries(kind, expr, hops)
            if known or unanswered == self._left_open:
                self._known[expr] = known
        return known

    def _unanswered(self) -> bool:
        """No, on this way: it is too long, or comes back to what is asked. On another way it may be yes."""
        self._left_open += 1
        return False

    def _carries(self, kind: type[Expression], expr: Any, hops: int) -> bool:
        if kind in DISPLAYS:
            is_loop = kind is GeneratorExpr
            return self.of_comprehension(expr, hops - 1) if is_loop else self._any(DISPLAYS[kind](expr), hops - 1)
        if kind is CallExpr and type(expr.callee) is MemberExpr and type(expr.callee.expr) is StrExpr:
            return self._of_arguments(expr.callee, expr, hops - 1)  # an f-string, or what is made of a literal
        found = self.type_of(expr)
        if found is not None:
            if kind_of(found) is Kind.DERIVED:
                return True
            if holds_no_text(found):
                return False
        own_way = _OWN_WAY.get(kind)
        if own_way is not None:
            return own_way(self, expr, hops - 1)
        parts = PARTS.get(kind)
        return parts is not None and self._any(parts(expr), hops - 1)

    def _any(self, exprs: Iterable[Expression | None], hops: int) -> bool:
        for expr in exprs:  # noqa: SIM110 - a generator for each expression would take a third of the time
            if expr is not None and self._holds(expr, hops):
                return True
        return False

    def type_of(self, expr: Expression) -> Type | None:
        """The type of an expression, if it is known."""
        return self._place.type_of(expr) if isinstance(expr, RefExpr) else self._place.lookup(expr)

    def is_derived(self, expr: Expression) -> bool:
        """Whether the type of an expression alone says that it is derived."""
        return kind_of(self.type_of(expr)) is Kind.DERIVED

    def brings(self, call: CallExpr) -> bool:
        """Whether a call gives derived text that it was not given: `expose`, `render`, a function of the file."""
        callee = call.callee
        if isinstance(callee, RefExpr) and callee.fullname == EXPOSE:
            return True
        if isinstance(callee, MemberExpr) and callee.name == "render":
            return self._is_a(callee.expr, BUFFER)
        function = self._place.function(callee.node) if isinstance(callee, RefExpr) else None
        return function is not None and self.carries(call)

    def may_bring(self, callee: RefExpr) -> bool:
        """Whether a call of this may give derived text that it was not given: a first look, without types."""
        if callee.fullname == EXPOSE or (isinstance(callee, MemberExpr) and callee.name == "render"):
            return True
        return self._place.function(callee.node) is not None

    def of_call(self, call: CallExpr, hops: int) -> bool:
        """Whether what a call gives carries: by its receiver, its arguments, or what its function returns."""
        callee = call.callee
        if isinstance(callee, RefExpr):
            function = self._place.function(callee.node)
            if function is not None:
                return self._through(function, call, hops)
            if callee.fullname in PASSING or isinstance(callee.node, TypeInfo):
                return self._any(call.args, hops)
            if callee.fullname == EXPOSE:
                return True
        return isinstance(callee, MemberExpr) and self._method(callee, call, hops)

    def _method(self, callee: MemberExpr, call: CallExpr, hops: int) -> bool:
        if callee.name == "render" and self._is_a(callee.expr, BUFFER):
            return True
        takes = callee.name in FILLING or (call.args and self._is_a(callee.expr, "builtins.str"))
        if takes and self._of_arguments(callee, call, hops):
            return True
        if callee.name in TAKING and isinstance(callee.expr, NameExpr) and self._of_what_is_in(callee.expr, hops):
            return True
        return self._holds(callee.expr, hops)

    def _is_a(self, expr: Expression, fullname: str) -> bool:
        found = get_proper_type(self.type_of(expr))
        return isinstance(found, Instance) and found.type.has_base(fullname)

    def _of_arguments(self, callee: MemberExpr, call: CallExpr, hops: int) -> bool:
        """Whether what a method of `str` is given carries; of a list that is joined also what was put into it."""
        if self._any(call.args, hops):
            return True
        joined = call.args[0] if callee.name == "join" and call.args else None
        return isinstance(joined, NameExpr) and self._of_what_is_in(joined, hops)

    def _of_what_is_in(self, name: NameExpr, hops: int) -> bool:
        """Whether anything carries that is put into what a variable holds."""
        if not isinstance(name.node, Var) or name in self._asked:
            return False
        return self._within_asking(name, self._place.assigned(name).into(name.node), hops)

    def of_variable(self, name: NameExpr, hops: int) -> bool:
        """Whether a variable may hold here what carries."""
        node = name.node
        if not isinstance(node, Var) or node.is_self:
            return False
        if node in self._asked or name in self._asked:
            return self._unanswered()
        return self._held_by(name, node, hops)

    def _held_by(self, name: NameExpr, node: Var, hops: int) -> bool:
        is_given = bool(self._given) and node in self._given[-1]
        assigned = self._place.assigned(name)
        if self._within_asking(node, assigned.elsewhere(node), hops):
            return True
        values = assigned.to(node)
        if not values:
            return is_given
        if not is_given and not self._within_asking(node, values, hops):  # nearly always
            return False
        reached = reaching(assigned.root, name)
        if not reached:  # a use in another function, which may be called at any time
            return all(self._within_asking(name, [value], hops) for value in values)
        held = [value for value in values if value in reached]
        return (is_given and None in reached) or self._within_asking(name, held, hops)

    def of_attribute(self, member: MemberExpr, hops: int) -> bool:
        """Whether an attribute carries: of what a variable was made with, by the name of the argument."""
        base = member.expr
        if self._any(PARTS[MemberExpr](member), hops):
            return True
        if not isinstance(base, NameExpr) or not isinstance(base.node, Var) or base.node.is_self:
            return False
        made = [value for value in self._place.assigned(base).to(base.node) if isinstance(value, CallExpr)]
        return self._any([arg for call in made for arg in _named(call, member.name)], hops)

    def _within_asking(self, asked: Node, values: Iterable[Expression], hops: int) -> bool:
        """Whether any of the values carries, where the answer does not go back to what is asked."""
        self._asked.add(asked)
        try:
            return self._any(values, hops)
        finally:
            self._asked.discard(asked)

    def of_comprehension(self, expr: GeneratorExpr, hops: int) -> bool:
        """Whether the elements carry, where each variable carries that runs over something that does."""
        given: set[SymbolNode | None] = {
            index.node
            for index, sequence in zip(expr.indices, expr.sequences, strict=True)
            if isinstance(index, NameExpr) and self._holds(sequence, hops)
        }
        return self._with(given.union(self._given[-1] if self._given else ()), [expr.left_expr], hops)

    def _through(self, function: FuncDef, call: CallExpr, hops: int) -> bool:
        """Whether a function of this file returns derived text, of its own or of what this call gives it."""
        if function in self._asked:
            return self._unanswered()
        given = {argument.variable for argument, arg in _bound(function, call) if self._holds(arg, hops)}
        self._asked.add(function)
        place, self._place = self._place, self._place.inside(function)
        try:
            return self._with(given, Assigned.within(function.body).returned, hops)
        finally:
            self._place = place
            self._asked.discard(function)

    def _with(self, given: AbstractSet[SymbolNode | None], values: Iterable[Expression], hops: int) -> bool:
        self._given.append(given)
        try:
            return any(self._holds(value, hops) for value in values)
        finally:
            self._given.pop()


_OWN_WAY: Final[Mapping[type[Expression], Callable[[Carrying, Any, int], bool]]] = {
    CallExpr: Carrying.of_call,
    MemberExpr: Carrying.of_attribute,
    NameExpr: Carrying.of_variable,
}
"""Expressions whose value is made of more than the parts that stand in them."""


def _bound(function: FuncDef, call: CallExpr) -> Iterator[tuple[Argument, Expression]]:
    by_name = {parameter.variable.name: parameter for parameter in function.arguments}
    for index, (arg, name) in enumerate(zip(call.args, call.arg_names, strict=True)):
        if name is not None and name in by_name:
            yield by_name[name], arg
        elif name is None and index < len(function.arguments):
            yield function.arguments[index], arg


def _named(call: CallExpr, name: str) -> list[Expression]:
    """The argument of a call under a name, if it has one."""
    return [arg for arg, given in zip(call.args, call.arg_names, strict=True) if given == name]
