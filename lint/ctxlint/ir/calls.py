"""Calls, and what they may do to what they are given.

    messages.append(note)      5 CALL method=append receiver=3 args=(4,)      6 OUT base=3 call=5 position="self"
    shorten(messages)          7 CALL callee=2 args=(6,)                      8 OUT base=6 call=7 position=0

`messages` is 6 after the first line and 8 after the second; whether the call changes it is the solver's to say.
"""

from __future__ import annotations

import ast
from functools import cache

from ctxlint.ir.builder import Builder
from ctxlint.ir.ops import ATTR, CALL, CAPTURE, CONST, FILTER, FUNC, IMPORT, NAME, OUT, PHI

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
    callee, receiver, method, name = -1, -1, "", ""
    if type(function) is ast.Attribute:
        name = method = function.attr
        receiver = builder.expr(function.value)
    else:
        if type(function) is ast.Name:
            name = function.id
            if name in _SEEN_THROUGH:
                found = _SEEN_THROUGH[name](builder, node)
                if found is not None:
                    return found
        callee = builder.expr(function)
    args, keywords = _arguments(builder, node)
    if type(function) is ast.Attribute and type(function.value) is ast.Name and ast.Call in map(type, node.args):
        # `turns.append(answer(turns))`: what the inner call did to the object has happened by now.
        receiver = builder.known(function.value.id) or receiver
    value = builder.emit((CALL, callee, receiver, method, args, keywords), node)
    ledger = builder.ledger
    ledger.calls[name].append((builder.index, value))
    for argument in args:
        _mention(builder, value, argument)
    for _, argument in keywords:
        _mention(builder, value, argument)
    if method == "get" and args:
        op = builder.ops[args[0]]
        if op[0] == CONST and isinstance(op[1], str):
            ledger.keys[op[1]].append((builder.index, value))
    _after(builder, node, value, name)
    return value


def _arguments(builder: Builder, node: ast.Call) -> tuple[tuple[int, ...], tuple[tuple[str, int], ...]]:
    args: list[int] = []
    keywords: list[tuple[str, int]] = []
    for argument in node.args:
        if type(argument) is ast.Starred:
            keywords.append(("*", builder.expr(argument.value)))
        else:
            args.append(builder.expr(argument))
    keywords += [(keyword.arg or "**", builder.expr(keyword.value)) for keyword in node.keywords]
    return tuple(args), tuple(keywords)


def _getattr(builder: Builder, node: ast.Call) -> int | None:
    match node.args:
        case [subject, ast.Constant(value=str() as name), *default]:
            base = builder.expr(subject)
            value = builder.emit((ATTR, base, name), node)
            builder.ledger.attributes[name].append((builder.index, value))
            return builder.emit((PHI, (value, builder.expr(default[0])))) if default else value
        case _:
            return None


def _cast(builder: Builder, node: ast.Call) -> int | None:
    """`cast(Kind, value)` is the value, whatever a type checker takes it for."""
    match node.args:
        case [_, subject]:
            return builder.expr(subject)
        case _:
            return None


_SEEN_THROUGH = {"getattr": _getattr, "cast": _cast}


def _mention(builder: Builder, call: int, value: int) -> None:
    """Let the name of something that could be a function lead to the call that gets it."""
    op = builder.ops[value]
    kind = op[0]
    if kind == ATTR or (kind == IMPORT and op[2]):
        name = op[2]
    elif kind in {NAME, CAPTURE}:
        name = op[1]
    elif kind == FUNC:
        name = f"<{op[1]}>"
    else:
        # `run = self.stream if live else self.ask`
        inner = op[1] if kind == PHI else (op[1],) if kind == FILTER else ()
        for one in inner:
            if builder.ops[one][0] != PHI:
                _mention(builder, call, one)
        return
    builder.ledger.mentions[name].append((builder.index, call))


def _after(builder: Builder, node: ast.Call, call: int, name: str) -> None:
    function = node.func
    if type(function) is ast.Attribute:
        if name in _READING:
            return
        # A call whose result is dropped is made for what it does: models say to what.
        if node is builder.effect or may_change(name):
            changed = builder.emit_at((OUT, builder.ops[call][2], call, "self"), builder.spans[call])
            builder.put_back(function.value, changed)
        if type(function.value) is ast.Name:
            builder.forget_fields(function.value.id)
    elif name in _PURE_FUNCTIONS:
        return
    position = 0
    for argument in node.args:
        if type(argument) is ast.Name:
            _changed(builder, argument.id, call, position)
        position += type(argument) is not ast.Starred
    for keyword in node.keywords:
        if keyword.arg and type(keyword.value) is ast.Name:
            _changed(builder, keyword.value.id, call, keyword.arg)


@cache
def may_change(method: str) -> bool:
    """The method's name says that it may change its receiver."""
    return method not in _READING and method.lstrip("_").partition("_")[0] in CHANGING


def _changed(builder: Builder, name: str, call: int, position: int | str) -> None:
    builder.forget_fields(name)
    value = builder.known(name)
    if value and name != builder.receiver:
        builder.rebind(name, builder.emit((OUT, value, call, position)))
