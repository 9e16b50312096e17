# an async method as summarizer given to rewrite
# differs from r3_async_in_sync: bound by a descriptor
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, async_summarizer
from support import buf, obs

class Model:
    @async_summarizer
    async def ask(self, spans: Sequence[ObservedSpan]) -> str:
        return str(len(spans))


buf.rewrite(obs, Model().ask)  # E: AsyncSummarizer
