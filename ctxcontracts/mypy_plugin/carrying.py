"""Whether the value of an expression carries derived text, where its type is only `str`.

    clean(f"so far: {expose(span.text)}")      # carries: an f-string, and a function of this file that passes it on
    ask(f"so far: {expose(span.text)}")        # does not, when `ask` is not of this file: it may be a model's answer

Followed are operators, methods of `str`, displays, variables of which every assignment carries, and functions of the
same file that return what they are given. A call of anything else ends the way: its result is somebody else's text.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from typing import Any, Final

from mypy.nodes import (
    GDEF,
    Argument,
    AssignmentExpr,
    AwaitExpr,
    BytesExpr,
    CallExpr,
    ComparisonExpr,
    ConditionalExpr,
    Decorator,
    DictExpr,
    Expression,
    FloatExpr,
    FuncDef,
    FuncItem,
    GeneratorExpr,
    IndexExpr,
    IntExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    MypyFile,
    NameExpr,
    Node,
    OpExpr,
    RefExpr,
    SetExpr,
    StarExpr,
    StrExpr,
    SymbolNode,
    TupleExpr,
    TypeInfo,
    Var,
)
from mypy.types import Instance, Type, get_proper_type

from ctxcontracts.mypy_plugin.kinds import Kind, holds_no_text, kind_of
from ctxcontracts.mypy_plugin.names import BUFFER, EXPOSE
from ctxcontracts.mypy_plugin.tree import Assignments, returned

_HOPS: Final = 12
_PASSING: Final = frozenset(
    {
        "builtins.repr",
        "builtins.format",
        "builtins.sorted",
        "builtins.list",
        "builtins.tuple",
        "builtins.reversed",
        "json.dumps",
        "textwrap.dedent",
        "textwrap.fill",
        "textwrap.indent",
        "textwrap.shorten",
    }
)
"""Functions of the standard library whose result holds the text that they are given."""

_NO_TEXT: Final = frozenset({StrExpr, IntExpr, FloatExpr, BytesExpr, ComparisonExpr})
_HOLDING: Final = frozenset({"text", "content"})
"""Attributes that hold the text of a span or a message."""

_PARTS: Final[Mapping[type[Expression], Callable[[Any], Iterable[Expression | None]]]] = {
    OpExpr: lambda expr: (expr.left, expr.right) if expr.op in {"+", "%", "*", "or", "and"} else (),
    ConditionalExpr: lambda expr: (expr.if_expr, expr.else_expr),
    ListExpr: lambda expr: expr.items,
    TupleExpr: lambda expr: expr.items,
    SetExpr: lambda expr: expr.items,
    DictExpr: lambda expr: (part for item in expr.items for part in item),
    ListComprehension: lambda expr: (expr.generator,),
    MemberExpr: lambda expr: (expr.expr,) if expr.name in _HOLDING else (),
    IndexExpr: lambda expr: (expr.base,),
    AwaitExpr: lambda expr: (expr.expr,),
    StarExpr: lambda expr: (expr.expr,),
    AssignmentExpr: lambda expr: (expr.value,),
}
"""What the value of an expression is made of, by its kind."""

TypeOf = Callable[[Expression], Type | None]


class Carrying:
    """The question, for one place in one file.

    Args:
        file: the file that is checked.
        type_of: the type that mypy found for an expression, if it did. Inside of functions it often did not yet.
        within: the outermost function around the place, if any.
    """

    def __init__(self, file: MypyFile, type_of: TypeOf, within: FuncItem | None = None) -> None:
        self._file = file
        self._here = f"{file.fullname}."
        self._type_of = type_of
        self._within = within
        self._given: list[AbstractSet[SymbolNode | None]] = []
        self._asked: set[int] = set()
        self._known: dict[Expression, bool] = {}

    def carries(self, expr: Expression, hops: int = _HOPS) -> bool:
        """Whether the text of an expression holds derived text."""
        if type(expr) in _NO_TEXT or hops <= 0:
            return False
        if self._given:  # inside of a function or a comprehension the answer is good for this way only
            return (type(expr) is NameExpr and expr.node in self._given[-1]) or self._carries(expr, hops)
        known = self._known.get(expr)
        if known is None:
            known = self._known[expr] = self._carries(expr, hops)
        return known

    def _carries(self, expr: Expression, hops: int) -> bool:
        if type(expr) is CallExpr and type(expr.callee) is MemberExpr and type(expr.callee.expr) is StrExpr:
            return self._any(expr.args, hops - 1)  # an f-string, or what is made of a literal: a `str`
        found = self.type_of(expr)
        if found is not None:
            if kind_of(found) is Kind.DERIVED:
                return True
            if holds_no_text(found):
                return False
        own_way = _OWN_WAY.get(type(expr))
        if own_way is not None:
            return own_way(self, expr, hops - 1)
        parts = _PARTS.get(type(expr))
        return parts is not None and self._any(parts(expr), hops - 1)

    def _any(self, exprs: Iterable[Expression | None], hops: int) -> bool:
        for expr in exprs:  # noqa: SIM110 - a generator for each expression would take a third of the time
            if expr is not None and self.carries(expr, hops):
                return True
        return False

    def type_of(self, expr: Expression) -> Type | None:
        """The type of an expression: what mypy found, else what its variable or field is declared or inferred as."""
        found = self._type_of(expr)
        if found is not None or not isinstance(expr, RefExpr):
            return found
        node = expr.node
        if isinstance(expr, MemberExpr) and isinstance(expr.expr, NameExpr) and self._within is not None:
            own = isinstance(expr.expr.node, Var) and expr.expr.node.is_self
            field = self._within.info.get(expr.name) if own and self._within.info else None
            node = node if field is None else field.node
        return node.type if isinstance(node, Var) else None

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
        function = _function(callee.node) if isinstance(callee, RefExpr) else None
        return function is not None and self._is_here(function) and self.carries(call)

    def may_bring(self, callee: RefExpr) -> bool:
        """Whether a call of this may give derived text that it was not given: a first look, without types."""
        if callee.fullname == EXPOSE or (isinstance(callee, MemberExpr) and callee.name == "render"):
            return True
        function = _function(callee.node)
        return function is not None and self._is_here(function)

    def _is_here(self, function: FuncDef) -> bool:
        return function.fullname.startswith(self._here)

    def of_call(self, call: CallExpr, hops: int) -> bool:
        """Whether what a call gives carries: by its receiver, its arguments, or what its function returns."""
        callee = call.callee
        if isinstance(callee, RefExpr):
            function = _function(callee.node)
            if function is not None and self._is_here(function):
                return self._through(function, call, hops)
            if callee.fullname in _PASSING or isinstance(callee.node, TypeInfo):
                return self._any(call.args, hops)
            if callee.fullname == EXPOSE:
                return True
        return isinstance(callee, MemberExpr) and self._method(callee, call, hops)

    def _method(self, callee: MemberExpr, call: CallExpr, hops: int) -> bool:
        if callee.name == "render" and self._is_a(callee.expr, BUFFER):
            return True
        if call.args and self._is_a(callee.expr, "builtins.str") and self._any(call.args, hops):
            return True
        return self.carries(callee.expr, hops)

    def _is_a(self, expr: Expression, fullname: str) -> bool:
        found = get_proper_type(self.type_of(expr))
        return isinstance(found, Instance) and found.type.has_base(fullname)

    def of_variable(self, name: NameExpr, hops: int) -> bool:
        """Whether all that is assigned to a variable carries: one that is also set to something else does not."""
        node = name.node
        if not isinstance(node, Var) or node.is_self or id(node) in self._asked:
            return False
        values = Assignments.within(self._file, None if name.kind == GDEF else self._within).of(node)
        if not values:
            return False
        self._asked.add(id(node))
        try:
            return all(self.carries(value, hops) for value in values)
        finally:
            self._asked.discard(id(node))

    def of_comprehension(self, expr: GeneratorExpr, hops: int) -> bool:
        """Whether the elements carry, where each variable carries that runs over something that does."""
        given: set[SymbolNode | None] = {
            index.node
            for index, sequence in zip(expr.indices, expr.sequences, strict=True)
            if isinstance(index, NameExpr) and self.carries(sequence, hops)
        }
        return self._with(given.union(self._given[-1] if self._given else ()), [expr.left_expr], hops)

    def _through(self, function: FuncDef, call: CallExpr, hops: int) -> bool:
        """Whether a function of this file returns derived text, of its own or of what this call gives it."""
        if id(function) in self._asked:
            return False
        given = {argument.variable for argument, arg in _bound(function, call) if self.carries(arg, hops)}
        self._asked.add(id(function))
        try:
            return self._with(given, returned(function), hops)
        finally:
            self._asked.discard(id(function))

    def _with(self, given: AbstractSet[SymbolNode | None], values: Iterable[Expression], hops: int) -> bool:
        self._given.append(given)
        try:
            return any(self.carries(value, hops) for value in values)
        finally:
            self._given.pop()


_OWN_WAY: Final[Mapping[type[Expression], Callable[[Carrying, Any, int], bool]]] = {
    CallExpr: Carrying.of_call,
    NameExpr: Carrying.of_variable,
    GeneratorExpr: Carrying.of_comprehension,
}
"""Expressions whose value is made of more than the parts that stand in them."""


def _bound(function: FuncDef, call: CallExpr) -> Iterator[tuple[Argument, Expression]]:
    by_name = {parameter.variable.name: parameter for parameter in function.arguments}
    for index, (arg, name) in enumerate(zip(call.args, call.arg_names, strict=True)):
        if name is not None and name in by_name:
            yield by_name[name], arg
        elif name is None and index < len(function.arguments):
            yield function.arguments[index], arg


def _function(node: Node | None) -> FuncDef | None:
    inner = node.func if isinstance(node, Decorator) else node
    return inner if isinstance(inner, FuncDef) else None
