"""Calls, and what they may do to what they are given.

    messages.append(note)      5 CALL method=append receiver=3 args=(4,)      6 OUT base=3 call=5 position="self"
    shorten(messages)          7 CALL callee=2 args=(6,)                      8 OUT base=6 call=7 position=0

`messages` is 6 after the first line and 8 after the second; whether the call changes it is the solver's to say.
"""

from __future__ import annotations

import ast
from functools import cache

from ctxlint.ir.builder import EXPRESSIONS, Builder
from ctxlint.ir.conditions import dotted
from ctxlint.ir.keys import key_of
from ctxlint.ir.ops import ATTR, CALL, CAPTURE, CONST, FILTER, FUNC, IMPORT, NAME, OUT, PHI, Op
from ctxlint.ir.reached import here
from ctxlint.ir.targets import assign

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
    name = function.attr if type(function) is ast.Attribute else function.id if type(function) is ast.Name else ""
    if name in _SEEN_THROUGH:
        found = _SEEN_THROUGH[name](builder, node)
        if found is not None:
            builder.lowered[id(node)] = found
            return found
    if type(function) is ast.Attribute:
        holder = function.value
        receiver = EXPRESSIONS[type(holder)](builder, holder)
        args, keywords = _arguments(builder, node)
        if args and type(holder) is ast.Name and ast.Call in map(type, node.args):
            # `turns.append(answer(turns))`: what the inner call did to the object has happened by now.
            receiver = builder.known(holder.id) or receiver
        value = _made(builder, node, (CALL, -1, receiver, name, args, keywords), name)
        if name not in _READING:
            _after_method(builder, node, function, value)
        return value
    callee = EXPRESSIONS[type(function)](builder, function)
    args, keywords = _arguments(builder, node)
    value = _made(builder, node, (CALL, callee, -1, "", args, keywords), name)
    if name not in _PURE_FUNCTIONS and (args or keywords):
        _after_arguments(builder, node, value)
    return value


def _made(builder: Builder, node: ast.Call, made: Op, name: str) -> int:
    """The value of a call that is lowered, in the indexes."""
    ops, index, ledger = builder.ops, builder.index, builder.ledger
    value = builder.lowered[id(node)] = len(ops)
    ops.append(made)
    builder.nodes.append(node)
    ledger.calls[name].append((index, value))
    if builder.options and (reached := here(builder.scope, None)):
        builder.reached[value] = reached
    for argument in made[4]:
        if ops[argument][0] in _NAMED:
            _mention(builder, value, argument)
    for _, argument in made[5]:
        if ops[argument][0] in _NAMED:
            _mention(builder, value, argument)
    if made[3] == "get" and node.args:
        key = key_of(node.args[0])
        if isinstance(key, str):
            ledger.keys[key].append((index, value))
    return value


def _arguments(builder: Builder, node: ast.Call) -> tuple[tuple[int, ...], tuple[tuple[str, int], ...]]:
    given, named = node.args, node.keywords
    stars: list[tuple[str, int]] = []
    if not given:
        args: tuple[int, ...] = ()
    elif ast.Starred in map(type, given):
        plain: list[int] = []
        for argument in given:
            if type(argument) is ast.Starred:
                stars.append(("*", builder.expr(argument.value)))
            else:
                plain.append(builder.expr(argument))
        args = tuple(plain)
    else:
        args = tuple([EXPRESSIONS[type(argument)](builder, argument) for argument in given])
    if not named:
        return args, tuple(stars)
    for keyword in named:
        held = keyword.value
        stars.append((keyword.arg or "**", EXPRESSIONS[type(held)](builder, held)))
    return args, tuple(stars)


def _on(builder: Builder, node: ast.Call) -> list[ast.expr]:
    """The arguments of the builtin that a call amounts to: `x.__setattr__("a", 1)` is `setattr(x, "a", 1)`."""
    match node.func:
        case ast.Attribute(value=ast.Name(id="object")) | ast.Name():
            return node.args
        case ast.Attribute(value=ast.Call(func=ast.Name(id="super")) as holder) if builder.receiver:
            own = ast.Name(id=builder.receiver, ctx=ast.Load())
            return [ast.copy_location(own, holder), *node.args]
        case ast.Attribute(value=holder):
            return [holder, *node.args]
        case _:
            return []


def _getattr(builder: Builder, node: ast.Call) -> int | None:
    match _on(builder, node):
        case [subject, ast.Constant(value=str() as name), *default]:
            base = builder.expr(subject)
            value = builder.emit((ATTR, base, name), node)
            builder.ledger.attributes[name].append((builder.index, value))
            return builder.emit((PHI, (value, builder.expr(default[0])))) if default else value
        case _:
            return None


def _setattr(builder: Builder, node: ast.Call) -> int | None:
    match _on(builder, node):
        case [subject, ast.Constant(value=str() as name), held]:
            target = ast.Attribute(value=subject, attr=name, ctx=ast.Store())
            assign(builder, ast.copy_location(target, node), builder.expr(held))
            return builder.emit((CONST, None))
        case _:
            return None


def _cast(builder: Builder, node: ast.Call) -> int | None:
    """`cast(Kind, value)` is the value, whatever a type checker takes it for; a cast to a sealed type is reported."""
    match node:
        case ast.Call(func=ast.Name(), args=[kind, subject]) if dotted(kind).rpartition(".")[2] not in SEALED:
            return builder.expr(subject)
        case _:
            return None


SEALED = frozenset({"ObservedText", "DerivedText", "ObservedSpan", "DerivedSpan", "Provenance"})
"""Types of ctxcontracts that only its own functions may make."""
_NAMED = frozenset({ATTR, IMPORT, NAME, CAPTURE, FUNC, PHI, FILTER})
"""The operations whose value may be a function with a name."""
_SEEN_THROUGH = {
    "getattr": _getattr,
    "cast": _cast,
    "setattr": _setattr,
    "__getattribute__": _getattr,
    "__setattr__": _setattr,
}


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


def _after_method(builder: Builder, node: ast.Call, function: ast.Attribute, call: int) -> None:
    """What a method may have done to its receiver and its arguments."""
    holder = function.value
    # A call whose result is dropped is made for what it does: models say to what.
    if node is builder.effect or may_change(function.attr):
        changed = builder.emit((OUT, builder.ops[call][2], call, "self"), node)
        builder.put_back(holder, changed)
    if type(holder) is ast.Name and holder.id in builder.fields:
        builder.forget_fields(holder.id)
    if node.args or node.keywords:
        _after_arguments(builder, node, call)


def _after_arguments(builder: Builder, node: ast.Call, call: int) -> None:
    position = 0
    for argument in node.args:
        if type(argument) is ast.Name:
            _changed(builder, argument.id, call, position)
        position += type(argument) is not ast.Starred
    for keyword in node.keywords:
        held = keyword.value
        if type(held) is ast.Name and keyword.arg:
            _changed(builder, held.id, call, keyword.arg)


@cache
def may_change(method: str) -> bool:
    """The method's name says that it may change its receiver."""
    return method not in _READING and method.lstrip("_").partition("_")[0] in CHANGING


def _changed(builder: Builder, name: str, call: int, position: int | str) -> None:
    if name in builder.fields:
        builder.forget_fields(name)
    value = builder.known(name)
    if value and name != builder.receiver:
        builder.rebind(name, builder.emit((OUT, value, call, position)), value)
