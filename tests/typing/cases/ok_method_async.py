# an async method as summarizer
# differs from ok_summarizer_async: bound by a descriptor
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, async_summarizer
from support import buf, obs

class Model:
    @async_summarizer
    async def ask(self, spans: Sequence[ObservedSpan], warmth: float = 0.0) -> str:
        return str(len(spans))


async def main() -> None:
    await buf.arewrite(obs, Model().ask, warmth=0.5)
