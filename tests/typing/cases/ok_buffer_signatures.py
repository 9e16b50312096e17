# the methods of the buffer: each pair of revealed types, without and with its contracts, is the same
# differs from ok_contract_signatures: methods, whose options go through a ParamSpec
from __future__ import annotations
from collections.abc import Iterable, Sequence
from typing import ParamSpec, reveal_type
from ctxcontracts import (
    AnySpan,
    AsyncSummarizer,
    DerivedId,
    DerivedSpan,
    ObservedSpan,
    ObservedText,
    SourceId,
    Summarizer,
)
from support import buf

P = ParamSpec("P")


class Plain:
    def observe(self, text: ObservedText, *, pinned: bool = False) -> ObservedSpan:
        raise RuntimeError

    def prune(self, spans: AnySpan | Iterable[AnySpan]) -> tuple[SourceId | DerivedId, ...]:
        raise RuntimeError

    def rewrite(
        self, spans: ObservedSpan | Sequence[ObservedSpan], by: Summarizer[P], /, *args: P.args, **kwargs: P.kwargs
    ) -> DerivedSpan:
        raise RuntimeError

    async def arewrite(
        self, spans: ObservedSpan | Sequence[ObservedSpan], by: AsyncSummarizer[P], /, *args: P.args, **kwargs: P.kwargs
    ) -> DerivedSpan:
        raise RuntimeError

    def rederive(
        self, spans: DerivedSpan | Sequence[DerivedSpan], by: Summarizer[P], /, *args: P.args, **kwargs: P.kwargs
    ) -> DerivedSpan:
        raise RuntimeError

    async def arederive(
        self, spans: DerivedSpan | Sequence[DerivedSpan], by: AsyncSummarizer[P], /, *args: P.args, **kwargs: P.kwargs
    ) -> DerivedSpan:
        raise RuntimeError


plain = Plain()
reveal_type(plain.observe)
reveal_type(buf.observe)
reveal_type(plain.prune)
reveal_type(buf.prune)
reveal_type(plain.rewrite)
reveal_type(buf.rewrite)
reveal_type(plain.arewrite)
reveal_type(buf.arewrite)
reveal_type(plain.rederive)
reveal_type(buf.rederive)
reveal_type(plain.arederive)
reveal_type(buf.arederive)
