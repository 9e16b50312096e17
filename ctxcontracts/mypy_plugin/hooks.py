"""The hooks: which call is looked at, and which of its arguments."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from functools import partial
from typing import Any, Final, cast

from mypy.checker import TypeChecker
from mypy.nodes import (
    CallExpr,
    Context,
    Decorator,
    Expression,
    FuncDef,
    FuncItem,
    LambdaExpr,
    NameExpr,
    RefExpr,
    Var,
)
from mypy.plugin import CheckerPluginInterface, FunctionContext, FunctionSigContext, MethodContext, Plugin
from mypy.types import CallableType, Instance, Type, get_proper_type

from ctxcontracts.mypy_plugin import messages, names
from ctxcontracts.mypy_plugin.assigned import Assigned
from ctxcontracts.mypy_plugin.carrying import Carrying, carries
from ctxcontracts.mypy_plugin.kinds import Kind, holds_no_text, kind_of
from ctxcontracts.mypy_plugin.messages import Told
from ctxcontracts.mypy_plugin.parts import NO_TEXT
from ctxcontracts.mypy_plugin.place import Place
from ctxcontracts.mypy_plugin.reading import readings


def _door(name: str, ctx: FunctionSigContext) -> CallableType:
    if not _is_just_found_right(ctx):
        right = True
        for args in ctx.args:
            for arg in args:
                if type(arg) in NO_TEXT:
                    continue
                kind = kind_of(_type_of(ctx.api, arg))
                if kind is Kind.PERHAPS_DERIVED or carries(arg, _place(ctx.api, arg)):
                    _tell(ctx.api, messages.door(name), arg)
                    right = False
                elif kind is Kind.ANY:
                    _tell(ctx.api, messages.any_text(f"{name}()"), arg)
                    right = False
        _last_right[:] = [ctx.context, _frame_of(ctx.api)] if right else []
    return ctx.default_signature


_last_right: Final[list[object]] = []
"""The last call of a door that had no error, and what its types held in."""


def _is_just_found_right(ctx: FunctionSigContext) -> bool:
    """Whether this very call was looked at right before: mypy asks again for each overload of what is around it."""
    if not _last_right or _last_right[0] is not ctx.context:
        return False
    return _last_right[1] is _frame_of(ctx.api)


def _frame_of(api: Any) -> object:
    """What mypy makes anew for each function, each round of a loop and each look at a lambda: types hold in it."""
    return api.binder.frames[-1]


def _type_of(api: CheckerPluginInterface, arg: Expression) -> Type | None:
    """The type of an argument that mypy has not looked at yet, without asking where it can be read off."""
    known = arg.node.type if isinstance(arg, NameExpr) and isinstance(arg.node, Var) else None
    return api.get_expression_type(arg) if known is None else known


def _tool(name: str, ctx: FunctionContext) -> Type:
    for function in _functions(ctx):
        place = _place_of(ctx.api, function)
        values = [function.expr()] if isinstance(function, LambdaExpr) else Assigned.within(function.body).returned
        for value in values:
            if carries(value, place):
                _tell(ctx.api, messages.tool_result(name), value)
    if isinstance(ctx.context, Decorator) and any(map(_is_derives, ctx.context.decorators)):
        _tell(ctx.api, messages.tool_result(name), ctx.context)
    return ctx.default_return_type


def _is_derives(decorator: Expression) -> bool:
    called = decorator.callee if isinstance(decorator, CallExpr) else decorator
    return isinstance(called, RefExpr) and called.fullname == names.DERIVES


def _summarizer(ctx: FunctionContext) -> Type:
    for function in _functions(ctx):
        if not _is_tried_for(function, ctx.default_return_type):
            continue
        places = readings(function, Carrying(_place_of(ctx.api, function)))
        if places:
            told = messages.body(function.name if isinstance(function, FuncDef) else "lambda")
            with _reported_whatever_overload(ctx.api):
                for place in places:
                    _tell(ctx.api, told, place)
    return ctx.default_return_type


def _is_tried_for(function: FuncItem, result: Type) -> bool:
    """Whether the overload that mypy tries is the one for this kind of function: one look at a body is enough."""
    is_method = bool(function.info) and not function.is_static
    found = get_proper_type(result)
    return not isinstance(found, Instance) or found.type.fullname.endswith("Method") == is_method


def _observe(name: str, ctx: MethodContext) -> Type:
    for arg, given in zip(ctx.args[0], ctx.arg_types[0], strict=True):
        if type(given) is Instance and given.type.fullname == names.OBSERVED_TEXT:
            continue
        kind = kind_of(given)
        told = None
        if kind is Kind.DERIVED or kind is Kind.PERHAPS_DERIVED:
            told = messages.observed_derived(name)
        elif kind is Kind.ANY and name != "from_messages":
            told = messages.any_text(f"{name}()")
        elif kind is Kind.OTHER and name == "observe":
            is_derived = carries(arg, _place(ctx.api, arg))
            told = messages.observed_derived(name) if is_derived else messages.no_door(name)
        if told is not None:
            _tell(ctx.api, told, arg)
    return ctx.default_return_type


def _rewrite(call: str, ctx: MethodContext, *, first_option: int = 2) -> Type:
    for arg, given in zip(ctx.args[0], ctx.arg_types[0], strict=True):
        kind = kind_of(given)
        if kind is Kind.DERIVED:
            _tell(ctx.api, messages.derived_span(call), arg)
        elif kind is Kind.PERHAPS_DERIVED:
            _tell(ctx.api, messages.perhaps_derived_span(call), arg)
        elif kind is Kind.ANY:
            _tell(ctx.api, messages.any_span(call), arg)
    return _options(call, ctx, first_option)


def _rederive(call: str, ctx: MethodContext) -> Type:
    return _options(call, ctx, 2)


def _options(call: str, ctx: MethodContext, first: int) -> Type:
    for args, types in zip(ctx.args[first:], ctx.arg_types[first:], strict=True):
        for arg, given in zip(args, types, strict=True):
            if type(arg) in NO_TEXT or holds_no_text(given):
                continue
            kind = kind_of(given)
            if kind is Kind.DERIVED or kind is Kind.PERHAPS_DERIVED or carries(arg, _place(ctx.api, arg)):
                _tell(ctx.api, messages.option(call), arg)
    return ctx.default_return_type


def _functions(ctx: FunctionContext) -> list[FuncItem]:
    """The functions that a decorator is put on, or called with."""
    if isinstance(ctx.context, Decorator):
        return [ctx.context.func]
    nodes = [arg.node if isinstance(arg, RefExpr) else arg for arg in (ctx.args[0] if ctx.args else ())]
    functions = [node.func if isinstance(node, Decorator) else node for node in nodes]
    return [function for function in functions if isinstance(function, (FuncDef, LambdaExpr))]


def _place(api: Any, arg: Expression) -> Place:
    """Where an argument stands. Later statements count for it only within a function that is called later."""
    function = api.scope.top_level_function()
    is_inner = api.scope.current_function() is not function
    return Place(api.tree, api.lookup_type_or_none, function, sys.maxsize if is_inner else arg.line)


def _place_of(api: Any, function: FuncItem) -> Place:
    """The place of a function that a decorator is put on."""
    return Place(api.tree, api.lookup_type_or_none, function)


def _tell(api: CheckerPluginInterface, told: Told, place: Context) -> None:
    api.fail(told.text, place, code=told.code)


@contextmanager
def _reported_whatever_overload(api: CheckerPluginInterface) -> Generator[None]:
    """Errors that do not count against the overload that mypy tries at the moment: they are about the function."""
    errors: Any = cast("TypeChecker", api).msg.errors
    held = getattr(errors, "_watchers", None)
    if held is None:
        yield
        return
    errors._watchers = []  # noqa: SLF001 - mypy has no other way to say that an error is about something else
    try:
        yield
    finally:
        errors._watchers = held  # noqa: SLF001


_DOORS: Final = {fullname: partial(_door, name) for fullname, name in names.DOORS.items()}
_DECORATORS: Final[dict[str, Callable[[FunctionContext], Type]]] = {
    **{fullname: partial(_tool, name) for fullname, name in names.TOOLS.items()},
    **dict.fromkeys(names.SUMMARIZERS, _summarizer),
}
_METHODS: Final[dict[str, Callable[[MethodContext], Type]]] = {
    **{fullname: partial(_observe, name) for fullname, name in names.OBSERVES.items()},
    **{fullname: partial(_rewrite, f"{name}()") for fullname, name in names.REWRITES.items()},
    **{fullname: partial(_rederive, f"{name}()") for fullname, name in names.REDERIVES.items()},
    **{fullname: partial(_rewrite, name, first_option=1) for fullname, name in names.CALLS.items()},
}


class CtxContractsPlugin(Plugin):
    """Hooks for the doors, the decorators, the summarizers and the methods of the buffer, and for nothing else.

    mypy asks for a hook at every call of a program, so that the look-up is the whole answer.
    """

    # The doors: overloaded, so that only here an error does not choose another overload.
    get_function_signature_hook: Any = _DOORS.get
    get_function_hook: Any = _DECORATORS.get
    get_method_hook: Any = _METHODS.get
