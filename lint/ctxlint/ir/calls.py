"""Calls, and what they may do to what they are given.

    messages.append(note)      5 CALL method=append receiver=3 args=(4,)      6 OUT base=3 call=5 position="self"
    shorten(messages)          7 CALL callee=2 args=(6,)                      8 OUT base=6 call=7 position=0

`messages` is 6 after the first line and 8 after the second; whether the call changes it is the solver's to say.
"""

from __future__ import annotations

import ast

from ctxlint.ir.builder import Builder
from ctxlint.ir.ops import ATTR, CALL, CONST, FUNC, IMPORT, NAME, OUT, PHI

_PURE_FUNCTIONS = frozenset(
    {
        "abs",
        "all",
        "any",
        "bool",
        "bytes",
        "callable",
        "chr",
        "dict",
        "divmod",
        "enumerate",
        "filter",
        "float",
        "format",
        "frozenset",
        "getattr",
        "hasattr",
        "hash",
        "id",
        "int",
        "isinstance",
        "issubclass",
        "iter",
        "len",
        "list",
        "map",
        "max",
        "min",
        "next",
        "ord",
        "print",
        "range",
        "repr",
        "reversed",
        "round",
        "set",
        "slice",
        "sorted",
        "str",
        "sum",
        "super",
        "tuple",
        "type",
        "vars",
        "zip",
    }
)
_READING = frozenset(
    {
        "copy",
        "count",
        "debug",
        "encode",
        "endswith",
        "error",
        "exception",
        "find",
        "format",
        "get",
        "index",
        "info",
        "items",
        "join",
        "keys",
        "lower",
        "lstrip",
        "model_copy",
        "model_dump",
        "replace",
        "rsplit",
        "rstrip",
        "split",
        "splitlines",
        "startswith",
        "strip",
        "title",
        "upper",
        "values",
        "warning",
        "model_dump_json",
        "isdigit",
        "dict",
        "json",
        "read",
    }
)
CHANGING = frozenset(
    {
        "add",
        "aadd",
        "append",
        "appendleft",
        "archive",
        "cache",
        "clear",
        "commit",
        "create",
        "dump",
        "enqueue",
        "execute",
        "extend",
        "insert",
        "log",
        "note",
        "overwrite",
        "persist",
        "pop",
        "popitem",
        "push",
        "put",
        "aput",
        "record",
        "register",
        "remember",
        "remove",
        "replace",
        "reset",
        "reverse",
        "save",
        "set",
        "aset",
        "setdefault",
        "setex",
        "send",
        "sort",
        "store",
        "update",
        "upsert",
        "write",
        "writelines",
        "truncate",
        "delete",
    }
)
"""First words of method names that change their receiver, unless the method is known and says otherwise."""


def lower_call(builder: Builder, node: ast.Call) -> int:
    """The value of a call; variables that it may change get a new value."""
    function = node.func
    if isinstance(function, ast.Name) and function.id == "getattr":
        found = _getattr(builder, node)
        if found is not None:
            return found
    callee, receiver, method, name = -1, -1, "", ""
    if isinstance(function, ast.Attribute):
        receiver, method = builder.expr(function.value), function.attr
        name = method
    else:
        callee = builder.expr(function)
        name = function.id if isinstance(function, ast.Name) else ""
    args, keywords = _arguments(builder, node)
    value = builder.emit((CALL, callee, receiver, method, args, keywords), node)
    builder.ledger.note(builder.ledger.calls, name, builder.index, value)
    _mention(builder, value, (*args, *(argument for _, argument in keywords)))
    if method == "get" and args and builder.ops[args[0]][0] == CONST and isinstance(builder.ops[args[0]][1], str):
        builder.ledger.note(builder.ledger.keys, builder.ops[args[0]][1], builder.index, value)
    _after(builder, node, value, name)
    return value


def _arguments(builder: Builder, node: ast.Call) -> tuple[tuple[int, ...], tuple[tuple[str, int], ...]]:
    args: list[int] = []
    keywords: list[tuple[str, int]] = []
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            keywords.append(("*", builder.expr(argument.value)))
        else:
            args.append(builder.expr(argument))
    keywords.extend((keyword.arg or "**", builder.expr(keyword.value)) for keyword in node.keywords)
    return tuple(args), tuple(keywords)


def _getattr(builder: Builder, node: ast.Call) -> int | None:
    match node.args:
        case [subject, ast.Constant(value=str() as name), *default]:
            base = builder.expr(subject)
            value = builder.emit((ATTR, base, name), node)
            builder.ledger.note(builder.ledger.attributes, name, builder.index, value)
            return builder.emit((PHI, (value, builder.expr(default[0])))) if default else value
        case _:
            return None


def _mention(builder: Builder, call: int, values: tuple[int, ...]) -> None:
    """Let the name of everything that could be a function lead to the call that gets it."""
    for value in values:
        op = builder.ops[value]
        kind = op[0]
        if kind == ATTR or (kind == IMPORT and op[2]):
            name = op[2]
        elif kind == NAME:
            name = op[1]
        elif kind == FUNC:
            name = f"<{op[1]}>"
        else:
            continue
        builder.ledger.note(builder.ledger.mentions, name, builder.index, call)


def _after(builder: Builder, node: ast.Call, call: int, name: str) -> None:
    function = node.func
    if isinstance(function, ast.Attribute):
        if name in _READING:
            return
        # A call whose result is dropped is made for what it does: models say to what.
        if may_change(name) or node is builder.effect:
            changed = builder.emit((OUT, builder.ops[call][2], call, "self"), node)
            builder.put_back(function.value, changed)
        if isinstance(function.value, ast.Name):
            builder.forget_fields(function.value.id)
    elif name in _PURE_FUNCTIONS:
        return
    for position, argument in enumerate(argument for argument in node.args if not isinstance(argument, ast.Starred)):
        _changed(builder, argument, call, position)
    for keyword in node.keywords:
        if keyword.arg:
            _changed(builder, keyword.value, call, keyword.arg)


def may_change(method: str) -> bool:
    """The method's name says that it may change its receiver."""
    return method not in _READING and method.lstrip("_").partition("_")[0] in CHANGING


def _changed(builder: Builder, argument: ast.expr, call: int, position: int | str) -> None:
    if not isinstance(argument, ast.Name):
        return
    builder.forget_fields(argument.id)
    value = builder.known(argument.id)
    if value and argument.id != builder.receiver:
        builder.put_back(argument, builder.emit((OUT, value, call, position)))
