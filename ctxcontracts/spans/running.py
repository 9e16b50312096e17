"""Whether a summarizer is running: while one does, no derived text can be read.

    with summarizing("shrink"):      # what Summarizer.__call__ does around the user's function
        expose(derived.text)         # RewritePolicyError: shrink would read an earlier summary

The flag is a `ContextVar`: it follows `asyncio` tasks, `asyncio.to_thread` and `contextvars.copy_context().run`. A
bare `threading.Thread` or executor starts with an empty context before Python 3.14: hand its work over with
`carried(function)`.
"""

from __future__ import annotations

import contextvars
import functools
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from typing import ParamSpec, TypeVar

from ctxcontracts.errors import Promise, RewritePolicyError

P = ParamSpec("P")
R = TypeVar("R")

_running: contextvars.ContextVar[str | None] = contextvars.ContextVar("ctxcontracts_running_summarizer", default=None)


def running_summarizer() -> str | None:
    """The name of the summarizer that runs in this context, or None."""
    return _running.get()


@contextmanager
def summarizing(name: str) -> Generator[None]:
    """Marks the running of a summarizer; nested runs keep the outer mark after they end."""
    token = _running.set(name)
    try:
        yield
    finally:
        # A coroutine that is thrown away may be closed in another context, where nothing was marked.
        with suppress(ValueError):
            _running.reset(token)


@contextmanager
def replaying() -> Generator[None]:
    """The time in which a buffer rebuilds its own window from a journal: allowed inside a summarizer too.

    The texts go into spans, which are guarded as ever, and reach nobody on the way.
    """
    token = _running.set(None)
    try:
        yield
    finally:
        _running.reset(token)


def refuse_while_summarizing(what: str) -> None:
    """Guards a way by which derived text could reach a running summarizer.

    Args:
        what: the call that is refused, as the user wrote it.

    Raises:
        RewritePolicyError: when a summarizer runs in this context.
    """
    name = _running.get()
    if name is not None:
        raise RewritePolicyError(
            f"{what} was called while the summarizer {name} runs, which would then read an earlier summary",
            promise=Promise.OBSERVED_ONLY,
            instead="summarize the spans that were passed in; to redo a summary use buffer.rederive(span, by)",
        )


def carried(function: Callable[P, R], /) -> Callable[P, R]:
    """The same function, running in a copy of the context of this call.

    Use it to start threads from inside a summarizer, so that the guards hold there too.
    """
    context = contextvars.copy_context()

    @functools.wraps(function)
    def run(*args: P.args, **kwargs: P.kwargs) -> R:
        return context.copy().run(function, *args, **kwargs)

    return run
