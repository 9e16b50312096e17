# a decorator of others below @summarizer
# differs from ok_summarizer_options: the options go through two decorators
from __future__ import annotations
from collections.abc import Callable, Sequence
from typing import ParamSpec, TypeVar
from ctxcontracts import ObservedSpan, summarizer
from support import buf, obs

P = ParamSpec("P")
R = TypeVar("R")


def retried(function: Callable[P, R]) -> Callable[P, R]:
    return function


@summarizer
@retried
def short(spans: Sequence[ObservedSpan], *, words: int = 5) -> str:
    return " ".join(str(len(s.text)) for s in spans[:words])


buf.rewrite(obs, short, words=3)
