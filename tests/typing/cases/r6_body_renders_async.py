# an async summarizer whose body reads the rendered buffer
# differs from r6_body_renders: another decorator, over a coroutine
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, async_summarizer
from support import buf, obs

@async_summarizer
async def reads(spans: Sequence[ObservedSpan]) -> str:
    return buf.render().text  # E: ctx-rewrite


async def main() -> None:
    await buf.arewrite(obs, reads)


# run: asyncio.run(main())
