"""What a decorator asks of the function that it is put on."""

from __future__ import annotations

import inspect


def name_of(function: object) -> str:
    """The qualified name of a function, or the class of a callable object."""
    return getattr(function, "__qualname__", None) or type(function).__qualname__


def is_async(function: object) -> bool:
    """Whether a function, partial, callable object or method wrapper is `async`."""
    inner: object = getattr(function, "__func__", function)  # of a method, staticmethod or classmethod
    return inspect.iscoroutinefunction(inner) or inspect.iscoroutinefunction(getattr(inner, "__call__", None))  # noqa: B004


def discard(result: object) -> None:
    """Closes a coroutine that nobody will await, so that no warning hides the error about it."""
    if inspect.iscoroutine(result):
        result.close()
