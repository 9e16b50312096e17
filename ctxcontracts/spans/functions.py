"""What a decorator asks of the function that it is put on."""

from __future__ import annotations

import functools
import inspect


def name_of(function: object) -> str:
    """The qualified name of a function, of the function of a partial, or of the class of a callable object."""
    return getattr(_whole(function), "__qualname__", None) or type(function).__qualname__


def plain_name_of(function: object) -> str:
    """The same without the classes and functions around it: what a model calls a tool by."""
    return getattr(_whole(function), "__name__", None) or type(function).__name__


def _whole(function: object) -> object:
    while isinstance(function, functools.partial):
        function = function.func  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
    return function  # pyright: ignore[reportUnknownVariableType]


def is_async(function: object) -> bool:
    """Whether a function, partial, callable object or method wrapper is `async`."""
    inner: object = getattr(function, "__func__", function)  # of a method, staticmethod or classmethod
    return inspect.iscoroutinefunction(inner) or inspect.iscoroutinefunction(getattr(inner, "__call__", None))  # noqa: B004


def discard(result: object) -> None:
    """Closes a coroutine that nobody will await, so that no warning hides the error about it."""
    if inspect.iscoroutine(result):
        result.close()
