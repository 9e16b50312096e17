"""Store calls away from the event loop: those of async methods, and the one before them after an interrupt."""

from __future__ import annotations

import asyncio
import contextvars
import functools
from collections.abc import Callable
from typing import Any, ParamSpec, TypeVar, cast

P = ParamSpec("P")
R = TypeVar("R")
F = TypeVar("F", bound=Callable[..., Any])


async def off_loop(function: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs) -> R:
    """The result of a blocking function, run in a thread of the loop's pool.

    A cancellation waits until the function has ended, so that when it arrives nothing is under way any more: what
    the function was to change is changed as a whole, or not at all.

    Raises:
        CancelledError: when the task was cancelled; also whatever the function raises.
    """
    context = contextvars.copy_context()
    future = asyncio.get_running_loop().run_in_executor(None, lambda: context.run(function, *args, **kwargs))
    cancelled: asyncio.CancelledError | None = None
    while not future.done():
        try:
            await asyncio.wait([future])
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled is not None:
        future.exception()  # seen: the cancellation outranks it
        raise cancelled
    return future.result()


def mended_first(method: F) -> F:
    """An async method of a buffer that lets an unsure window be rebuilt in a thread, before anything looks at it."""

    @functools.wraps(method)
    async def mended(self: Any, /, *args: Any, **kwargs: Any) -> object:
        if self.is_unsure:
            await off_loop(self.mend)
        return await method(self, *args, **kwargs)

    return cast("F", mended)
