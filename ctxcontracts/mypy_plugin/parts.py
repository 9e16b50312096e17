"""What the text of an expression is made of, by its kind."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from mypy.nodes import (
    AssignmentExpr,
    AwaitExpr,
    BytesExpr,
    CastExpr,
    ComparisonExpr,
    ConditionalExpr,
    DictExpr,
    Expression,
    FloatExpr,
    GeneratorExpr,
    IndexExpr,
    IntExpr,
    ListComprehension,
    ListExpr,
    MemberExpr,
    OpExpr,
    SetComprehension,
    SetExpr,
    StarExpr,
    StrExpr,
    TupleExpr,
)

NO_TEXT: Final = frozenset({StrExpr, IntExpr, FloatExpr, BytesExpr, ComparisonExpr})
"""Expressions that hold no text, or none but what is written there."""

_BY_MODULE: Final = {
    "base64": ("b64decode", "b64encode"),
    "builtins": (
        "enumerate",
        "filter",
        "format",
        "iter",
        "list",
        "map",
        "next",
        "repr",
        "reversed",
        "sorted",
        "tuple",
    ),
    "builtins.str": ("format", "join", "replace", "strip"),
    "copy": ("copy", "deepcopy"),
    "dataclasses": ("replace",),
    "functools": ("reduce",),
    "html": ("escape", "unescape"),
    "itertools": ("chain", "islice"),
    "json": ("dumps", "loads"),
    "_operator": ("add", "concat", "iadd", "iconcat", "mod"),
    "pprint": ("pformat",),
    "re": ("split", "sub"),
    "shlex": ("quote",),
    "textwrap": ("dedent", "fill", "indent", "shorten", "wrap"),
    "unicodedata": ("normalize",),
    "urllib.parse": ("quote", "quote_plus", "unquote", "unquote_plus"),
}
PASSING: Final = frozenset(f"{module}.{name}" for module, names in _BY_MODULE.items() for name in names)
"""Functions of the standard library whose result holds the text that they are given."""

FILLING: Final = frozenset({"render", "safe_substitute", "substitute"})
"""Methods of templates, whose result holds what they are filled with."""

TAKING: Final = frozenset({"get", "get_nowait", "getvalue"})
"""Methods of queues and files in memory that give what was put into them."""

_HOLDING: Final = frozenset({"text", "content"})
"""Attributes that hold the text of a span or a message."""

_Parts = Mapping[type[Expression], Callable[[Any], Iterable[Expression | None]]]
DISPLAYS: Final[_Parts] = {
    ListExpr: lambda expr: expr.items,
    TupleExpr: lambda expr: expr.items,
    SetExpr: lambda expr: expr.items,
    DictExpr: lambda expr: (part for item in expr.items for part in item),
    GeneratorExpr: lambda expr: (expr.left_expr, *expr.sequences),
    ListComprehension: lambda expr: (expr.generator,),
    SetComprehension: lambda expr: (expr.generator,),
    ConditionalExpr: lambda expr: (expr.if_expr, expr.else_expr),
    StarExpr: lambda expr: (expr.expr,),
}
"""What the value of an expression is made of, where its type says no more than theirs."""

PARTS: Final[_Parts] = {
    OpExpr: lambda expr: (expr.left, expr.right) if expr.op in {"+", "%", "*", "or", "and"} else (),
    MemberExpr: lambda expr: (expr.expr,) if expr.name in _HOLDING else (),
    IndexExpr: lambda expr: (expr.base,),
    AwaitExpr: lambda expr: (expr.expr,),
    CastExpr: lambda expr: (expr.expr,),
    AssignmentExpr: lambda expr: (expr.value,),
}
"""What it is made of, where its type may say more."""
