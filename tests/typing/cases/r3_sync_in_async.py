# sync summarizer given to arewrite
from __future__ import annotations
from support import buf, obs, shrink

async def main() -> None:
    await buf.arewrite(obs, shrink)  # E: AsyncSummarizer

# run: asyncio.run(main())
