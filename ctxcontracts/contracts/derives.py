"""`@derives`: one line over an existing summarizer, for code that does not adopt the buffer.

    @derives
    def summarize(messages: list[dict]) -> str: ...

    summary = summarize(history)                          # "[[derived:5f0c…]] The user wants …"
    summarize([{"role": "user", "content": summary}])     # DerivedAgainError: … that summarize derived at …

The result is registered by its digest, carries a mark so that it is known again inside a longer string, and is a
`DerivedStr`, which no door takes (pass `str(summary)` to libraries that refuse subclasses of `str`, as msgspec does).
The function runs as a summarizer: derived text cannot be formatted or exposed meanwhile. An empty result, the text
of an error, and a text that was passed in and comes back unchanged are no summaries: they pass through as they are,
unregistered.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import AsyncGenerator, AsyncIterable, Awaitable, Callable, Generator, Iterable
from typing import Any, Final, Protocol, TypeVar, overload

from ctxcontracts.contracts.derivation import Derivation
from ctxcontracts.contracts.reentry import Given
from ctxcontracts.contracts.registry import DerivedRegistry, MemoryRegistry
from ctxcontracts.contracts.watch import Reentry, watch_named
from ctxcontracts.errors import ProvenanceError
from ctxcontracts.spans.summarizer import AsyncSummarizer, Summarizer

Text = str | Awaitable[str] | Iterable[str] | AsyncIterable[str]
F = TypeVar("F", bound="Callable[..., Text] | classmethod[Any, ..., Text] | staticmethod[..., Text]")

PROCESS_REGISTRY: Final = MemoryRegistry()
"""The registry of every `@derives` without a `store=`: it lives as long as the process."""


class DerivesDecorator(Protocol):
    """`@derives(...)` with its options given: gives a function back under its own signature."""

    def __call__(self, fn: F, /) -> F:
        """See `derives`."""
        ...


@overload
def derives(fn: F, /) -> F: ...
@overload
def derives(
    *, store: DerivedRegistry | None = None, mark: bool = True, reentry: Reentry = "warn"
) -> DerivesDecorator: ...
def derives(
    fn: object = None, /, *, store: DerivedRegistry | None = None, mark: bool = True, reentry: Reentry = "warn"
) -> object:
    """Registers what a function writes as derived, and refuses to give it an earlier derived text.

    Takes functions, `async` functions, methods (on either side of `@staticmethod` and `@classmethod`), callable
    objects, and generators that stream a text: their first chunk is marked, and the whole is registered when they end
    or are closed. The wrapped function has the same signature and is of the same kind. Its errors are its own.

    Args:
        fn: the function.
        store: where the calls are registered; a SQLite cold store holds them over a restart. By default they live in
            memory, in one registry for the process.
        mark: whether the text gets the mark in front. Without it a derived text is known by its type, and by the
            digest of the whole text: an f-string around it hides it. A result that is parsed (JSON) wants False.
        reentry: whether a text is looked at that has neither the type nor the mark of a derived one. "warn" and
            "refuse" refuse the whole text of an earlier result, and warn with a `ReentryWarning` of one that holds
            much of a result of this process; "off" does neither.

    Raises:
        ProvenanceError: when `fn` cannot be called or is a `@summarizer` already. Each *call* of the function raises
            DerivedAgainError when an argument holds an earlier derived text, SummaryRejected when the result is
            neither text nor None, and ColdStoreError when the store fails.
    """
    registry = PROCESS_REGISTRY if store is None else store
    watch = watch_named(reentry)

    def decorate(function: object) -> object:
        if _is_method_wrapper(function):
            rebuilt: Any = type(function)
            return rebuilt(decorate(getattr(function, "__func__", None)))
        if not callable(function) or _is_summarizer(function):
            raise ProvenanceError(
                f"@derives was given a {type(function).__name__}",
                instead="put it on a function that returns str; a @summarizer needs no @derives",
            )
        return _wrapped(function, Derivation(function, registry, mark=mark, watch=watch))

    return decorate if fn is None else decorate(fn)


def _is_method_wrapper(function: object) -> bool:
    return isinstance(function, (staticmethod, classmethod))


def _is_summarizer(function: object) -> bool:
    return isinstance(function, (Summarizer, AsyncSummarizer))


def _wrapped(fn: Callable[..., Any], derivation: Derivation) -> Callable[..., Any]:
    """A function of the same kind around another: frameworks ask `inspect` what they were given."""
    # A callable object is of the kind of its __call__; a function has one too, which tells nothing.
    for asked in (fn, getattr(type(fn), "__call__", None)):  # noqa: B004
        if inspect.iscoroutinefunction(asked):
            return functools.wraps(fn)(_coroutine(fn, derivation))
        if inspect.isasyncgenfunction(asked):
            return functools.wraps(fn)(_async_stream(fn, derivation))
        if inspect.isgeneratorfunction(asked):
            return functools.wraps(fn)(_stream(fn, derivation))
    return functools.wraps(fn)(_plain(fn, derivation))


def _plain(fn: Callable[..., Any], derivation: Derivation) -> Callable[..., Any]:
    def derived(*args: Any, **kwargs: Any) -> Any:
        given = derivation.check(args, kwargs)
        with derivation.running():
            result = fn(*args, **kwargs)
        return _by_kind(result, derivation, given)

    return derived


def _by_kind(result: Any, derivation: Derivation, given: Given) -> Any:
    """The result of a plain function; a decorator in between can hide that it was a coroutine or a stream."""
    if inspect.isawaitable(result):
        return _awaited(result, derivation, given)
    if inspect.isgenerator(result):
        return _stream(lambda: result, derivation, given)()
    if inspect.isasyncgen(result):
        return _async_stream(lambda: result, derivation, given)()
    return derivation.finished(result, given)


def _coroutine(fn: Callable[..., Any], derivation: Derivation) -> Callable[..., Any]:
    async def derived(*args: Any, **kwargs: Any) -> Any:
        given = derivation.check(args, kwargs)
        return await _awaited(fn(*args, **kwargs), derivation, given)

    return derived


async def _awaited(result: Awaitable[Any], derivation: Derivation, given: Given) -> Any:
    with derivation.running():
        text = await result
    return derivation.finished(text, given)


def _stream(
    fn: Callable[..., Generator[Any, Any, Any]], derivation: Derivation, given: Given | None = None
) -> Callable[..., Any]:
    """A generator function; the function inside runs as a summarizer for each chunk, and its caller does not."""

    def derived(*args: Any, **kwargs: Any) -> Generator[Any, Any, Any]:
        written = derivation.begun(derivation.check(args, kwargs) if given is None else given)
        source = fn(*args, **kwargs)
        step: Callable[[], Any] = functools.partial(next, source)
        while True:
            try:
                with derivation.running():
                    chunk = step()
            except StopIteration as end:
                written.end()
                return end.value
            try:
                sent = yield written.take(chunk)
            except GeneratorExit:
                source.close()
                written.end()
                raise
            except BaseException as error:  # noqa: BLE001 - thrown in by the caller, for the function to handle
                step = functools.partial(source.throw, error)
            else:
                step = functools.partial(source.send, sent)

    return derived


def _async_stream(
    fn: Callable[..., AsyncGenerator[Any, Any]], derivation: Derivation, given: Given | None = None
) -> Callable[..., Any]:
    async def derived(*args: Any, **kwargs: Any) -> AsyncGenerator[Any, Any]:
        written = derivation.begun(derivation.check(args, kwargs) if given is None else given)
        source = fn(*args, **kwargs)
        step: Callable[[], Awaitable[Any]] = functools.partial(anext, source)
        while True:
            try:
                with derivation.running():
                    chunk = await step()
            except StopAsyncIteration:
                written.end()
                return
            try:
                sent = yield written.take(chunk)
            except GeneratorExit:
                await source.aclose()
                written.end()
                raise
            except BaseException as error:  # noqa: BLE001 - thrown in by the caller, for the function to handle
                step = functools.partial(source.athrow, error)
            else:
                step = functools.partial(source.asend, sent)

    return derived
