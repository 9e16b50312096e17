"""Store calls away from the event loop."""

from __future__ import annotations

import asyncio
import contextvars
from collections.abc import Callable
from typing import ParamSpec, TypeVar

P = ParamSpec("P")
R = TypeVar("R")


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
