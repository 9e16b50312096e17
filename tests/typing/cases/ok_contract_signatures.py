# contracts over functions: each pair of revealed types is the same
# differs from ok_summarizer_type: the decorators are icontract's
from __future__ import annotations
from collections.abc import Callable, Sequence
from typing import Concatenate, Generic, ParamSpec, TypeVar, reveal_type
from ctxcontracts import ObservedSpan
from ctxcontracts.contracts import all_observed, ensure, is_a_summary, require

P = ParamSpec("P")
T = TypeVar("T", bound=ObservedSpan)


def sync(spans: Sequence[ObservedSpan], limit: int = 3, /, *, loud: bool = False) -> str:
    return "x"


async def later(spans: Sequence[ObservedSpan], *options: int, loud: bool = False) -> str:
    return "x"


def forwarding(
    spans: Sequence[ObservedSpan],
    by: Callable[Concatenate[Sequence[ObservedSpan], P], str],
    /,
    *args: P.args,
    **kwargs: P.kwargs,
) -> str:
    return by(spans, *args, **kwargs)


def generic(spans: Sequence[T], first: T, **options: int) -> T:
    return first


class Kept(Generic[P]):
    def method(self, spans: Sequence[ObservedSpan], *args: P.args, **kwargs: P.kwargs) -> str:
        return "x"


reveal_type(sync)
reveal_type(require(all_observed)(ensure(is_a_summary)(sync)))
reveal_type(later)
reveal_type(require(all_observed)(ensure(is_a_summary)(later)))
reveal_type(forwarding)
reveal_type(require(all_observed)(ensure(is_a_summary)(forwarding)))
reveal_type(generic)
reveal_type(require(all_observed)(ensure(is_a_summary)(generic)))
reveal_type(Kept.method)
reveal_type(require(all_observed)(ensure(is_a_summary)(Kept.method)))
