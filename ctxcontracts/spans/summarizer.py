"""Summarizers: the functions that may turn observed spans into derived text, sealed by their decorator.

    @summarizer
    def shrink(spans: Sequence[ObservedSpan], max_words: int = 50) -> str: ...

    shrink(spans)                 # DerivedText
    buffer.rewrite(spans, shrink) # what it is for

While one runs, no derived text can be read in its context (`spans/running.py`), and no option may hold any.
"""

from __future__ import annotations

import functools
import inspect
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import (
    TYPE_CHECKING,
    Any,
    Concatenate,
    Generic,
    Never,
    ParamSpec,
    Protocol,
    TypeVar,
    cast,
    final,
    overload,
)

from ctxcontracts.errors import Promise, ProvenanceError, Rejection, RewritePolicyError, SummaryRejected
from ctxcontracts.spans.functions import discard, is_async, name_of
from ctxcontracts.spans.holding import where_derived
from ctxcontracts.spans.mark import OPEN
from ctxcontracts.spans.running import summarizing
from ctxcontracts.spans.seal import refuse_change, refuse_making, refuse_subclass
from ctxcontracts.spans.span import ObservedSpan
from ctxcontracts.spans.text import DerivedStr, DerivedText, seal_derived

P = ParamSpec("P")
S = TypeVar("S", contravariant=True)  # noqa: PLC0105 - one letter, as ParamSpec's
K = TypeVar("K")


def checked_spans(name: str, spans: Sequence[ObservedSpan]) -> tuple[ObservedSpan, ...]:
    """The spans as a tuple, after the guard that each is observed."""
    if not isinstance(spans, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
        raise RewritePolicyError(
            f"{name}(spans): spans is a {type(spans).__name__}, not a sequence of spans",
            promise=Promise.OBSERVED_ONLY,
            instead=f"pass a list: {name}([span])",
        )
    taken = tuple(spans)
    for index, span in enumerate(taken):
        if type(span) is not ObservedSpan:  # final; a mock of it passes isinstance
            raise RewritePolicyError(
                f"{name}(spans): spans[{index}] is a {type(span).__name__}, not an ObservedSpan",
                promise=Promise.OBSERVED_ONLY,
                instead="pass observed spans; to redo a derived span use buffer.rederive(span, by)",
            )
    return taken


def _check_options(name: str, fn: object, args: tuple[object, ...], kwargs: dict[str, object]) -> None:
    """Refuses derived text in the options of a call, and in those that `functools.partial` put there before."""
    bound: dict[str, object] = {}
    if isinstance(fn, functools.partial):
        bound["functools.partial"] = fn  # pyright: ignore[reportUnknownVariableType]
    elif not args and not kwargs:
        return
    where = where_derived({f"option {i + 1}": value for i, value in enumerate(args)} | kwargs | bound)
    if where is not None:
        raise RewritePolicyError(
            f"{name}(spans, ...): {where} holds derived text, which the summarizer would read",
            promise=Promise.OBSERVED_ONLY,
            instead="leave the option out; to cover more sources use buffer.rederive([span, ...], by)",
        )


def _checked_result(name: str, raw: object) -> DerivedText:
    if isinstance(raw, (DerivedText, DerivedStr)) or (isinstance(raw, str) and OPEN in raw):
        raise SummaryRejected(
            f"{name} returned derived text that it did not write now",
            reason=Rejection.CARRIES_DERIVED,
            promise=Promise.OBSERVED_ONLY,
            instead="return the str that the model wrote from the spans that were passed in",
        )
    if not isinstance(raw, str):
        discard(raw)
        raise SummaryRejected(
            f"{name} returned a {type(raw).__name__}, not a str",
            reason=Rejection.NOT_TEXT,
            promise=Promise.NO_FAILED_SUMMARY,
            instead="return the text of the summary; for async functions use @async_summarizer and arewrite",
        )
    return seal_derived(raw)


@final
class Summarizer(Generic[P]):
    """A function from observed spans to derived text. Made by `@summarizer` only."""

    _fn: Callable[..., str]
    __name__: str

    if TYPE_CHECKING:

        def __init__(self, *, _made_by_summarizer_decorator: Never) -> None: ...

    else:

        def __init__(self, *_args: object, **_kwargs: object) -> None:
            refuse_making("Summarizer", "@summarizer")

    def __init_subclass__(cls) -> None:
        refuse_subclass("Summarizer")

    def __call__(self, spans: Sequence[ObservedSpan], /, *args: P.args, **kwargs: P.kwargs) -> DerivedText:
        """Summarizes.

        Raises:
            RewritePolicyError: when a span is not observed, or an option holds derived text.
            SummaryRejected: when the function returns no `str`.
        """
        taken = checked_spans(self.__name__, spans)
        _check_options(self.__name__, self._fn, args, kwargs)
        with summarizing(self.__name__):
            raw: object = self._fn(taken, *args, **kwargs)
        return _checked_result(self.__name__, raw)

    def __get__(self, instance: object, owner: type | None = None, /) -> Summarizer[P]:
        """Binds to an instance, as a function does."""
        bound = _bound(self._fn, instance, owner)
        return self if bound is None else _sealed(Summarizer, bound)

    def __setattr__(self, name: str, value: object) -> None:
        refuse_change("Summarizer", name)

    def __delattr__(self, name: str) -> None:
        refuse_change("Summarizer", name)

    def __copy__(self) -> Summarizer[P]:
        return self

    def __deepcopy__(self, memo: object) -> Summarizer[P]:
        return self

    def __reduce__(self) -> str:
        """Pickles by its qualified name, as a function does; one that is bound or nested cannot be pickled."""
        return getattr(self, "__qualname__", self.__name__)

    def __repr__(self) -> str:
        return f"<Summarizer {self.__name__}>"


@final
class AsyncSummarizer(Generic[P]):
    """An async function from observed spans to derived text. Made by `@async_summarizer` only."""

    _fn: Callable[..., Awaitable[str]]
    __name__: str

    if TYPE_CHECKING:

        def __init__(self, *, _made_by_summarizer_decorator: Never) -> None: ...

    else:

        def __init__(self, *_args: object, **_kwargs: object) -> None:
            refuse_making("AsyncSummarizer", "@async_summarizer")

    def __init_subclass__(cls) -> None:
        refuse_subclass("AsyncSummarizer")

    async def __call__(self, spans: Sequence[ObservedSpan], /, *args: P.args, **kwargs: P.kwargs) -> DerivedText:
        """Summarizes.

        Raises:
            RewritePolicyError: when a span is not observed, or an option holds derived text.
            SummaryRejected: when the function gives nothing to await, or its result is no `str`.
        """
        taken = checked_spans(self.__name__, spans)
        _check_options(self.__name__, self._fn, args, kwargs)
        with summarizing(self.__name__):
            raw: object = self._fn(taken, *args, **kwargs)
            if not inspect.isawaitable(raw):
                raise ProvenanceError(
                    f"@async_summarizer was put on {self.__name__}, which is not async",
                    instead="use @summarizer",
                )
            text: object = await raw
        return _checked_result(self.__name__, text)

    def __get__(self, instance: object, owner: type | None = None, /) -> AsyncSummarizer[P]:
        """Binds to an instance, as a function does."""
        bound = _bound(self._fn, instance, owner)
        return self if bound is None else _sealed(AsyncSummarizer, bound)

    def __setattr__(self, name: str, value: object) -> None:
        refuse_change("AsyncSummarizer", name)

    def __delattr__(self, name: str) -> None:
        refuse_change("AsyncSummarizer", name)

    def __copy__(self) -> AsyncSummarizer[P]:
        return self

    def __deepcopy__(self, memo: object) -> AsyncSummarizer[P]:
        return self

    def __reduce__(self) -> str:
        """Pickles by its qualified name, as a function does; one that is bound or nested cannot be pickled."""
        return getattr(self, "__qualname__", self.__name__)

    def __repr__(self) -> str:
        return f"<AsyncSummarizer {self.__name__}>"


class SummarizerMethod(Protocol[S, P]):
    """What a type checker sees of a method under `@summarizer`: read on an instance, it is a `Summarizer`."""

    def __get__(self, instance: S, owner: type | None = None, /) -> Summarizer[P]: ...


class AsyncSummarizerMethod(Protocol[S, P]):
    """What a type checker sees of a method under `@async_summarizer`."""

    def __get__(self, instance: S, owner: type | None = None, /) -> AsyncSummarizer[P]: ...


def _bound(fn: Callable[..., object], instance: object, owner: type | None) -> Callable[..., Any] | None:
    """The function bound to an instance or class, or None where there is nothing to bind."""
    bind = getattr(type(fn), "__get__", None)
    if bind is None or (instance is None and not isinstance(fn, (staticmethod, classmethod))):
        return None
    return cast("Callable[..., Any]", bind(fn, instance, owner))


def _sealed(kind: type[K], fn: Callable[..., object]) -> K:
    """One of the two classes over a function, with the names by which errors and `help()` know it."""
    made = object.__new__(kind)
    for attribute in (*functools.WRAPPER_ASSIGNMENTS, "__wrapped__"):
        value = fn if attribute == "__wrapped__" else getattr(fn, attribute, None)
        if value is not None:
            object.__setattr__(made, attribute, value)
    object.__setattr__(made, "_fn", fn)
    object.__setattr__(made, "__name__", name_of(fn))
    return made


def _check_function(decorator: str, fn: object) -> None:
    if not callable(fn) and not isinstance(fn, classmethod):
        raise ProvenanceError(
            f"{decorator} was given a {type(fn).__name__}, which cannot be called",
            instead="pass a function of a sequence of observed spans that returns str",
        )


@overload
def summarizer(fn: Callable[Concatenate[Sequence[ObservedSpan], P], str], /) -> Summarizer[P]: ...
@overload
def summarizer(fn: Callable[Concatenate[S, Sequence[ObservedSpan], P], str], /) -> SummarizerMethod[S, P]: ...
def summarizer(fn: Callable[..., str], /) -> object:
    """Seals a function, method or callable object that summarizes observed spans.

    Its first parameter (after `self`) takes the observed spans as a tuple; the others are options, passed through
    `buffer.rewrite(spans, by, ...)`.

    Raises:
        ProvenanceError: when given an `async` function or something that cannot be called.
    """
    _check_function("@summarizer", fn)
    if is_async(fn):
        raise ProvenanceError(
            f"@summarizer was put on {name_of(fn)}, which is async",
            instead="use @async_summarizer and arewrite",
        )
    return _sealed(Summarizer, fn)


@overload
def async_summarizer(
    fn: Callable[Concatenate[Sequence[ObservedSpan], P], Awaitable[str]], /
) -> AsyncSummarizer[P]: ...
@overload
def async_summarizer(
    fn: Callable[Concatenate[S, Sequence[ObservedSpan], P], Awaitable[str]], /
) -> AsyncSummarizerMethod[S, P]: ...
def async_summarizer(fn: Callable[..., Awaitable[str]], /) -> object:
    """Seals an `async` function, method or callable object that summarizes observed spans; for `arewrite`.

    Raises:
        ProvenanceError: when given something that cannot be called.
    """
    _check_function("@async_summarizer", fn)
    return _sealed(AsyncSummarizer, fn)
