# @summarizer and @async_summarizer on methods
# differs from ok_summarizer_bound: the decorator stands over the method
from __future__ import annotations
from collections.abc import Sequence
from typing import assert_type
from ctxcontracts import DerivedSpan, DerivedText, ObservedSpan, async_summarizer, summarizer
from support import buf, obs

class Llm:
    @summarizer
    def ask(self, spans: Sequence[ObservedSpan], t: float = 0.0) -> str:
        return "x"

    @async_summarizer
    async def ask_later(self, spans: Sequence[ObservedSpan], t: float = 0.0) -> str:
        return "x"


async def main() -> None:
    llm = Llm()
    assert_type(llm.ask([obs], t=1.0), DerivedText)
    assert_type(buf.rewrite(obs, llm.ask, t=0.5), DerivedSpan)
    assert_type(await buf.arewrite(obs, llm.ask_later, t=0.5), DerivedSpan)
