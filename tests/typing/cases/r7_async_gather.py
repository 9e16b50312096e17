# all spans rewritten at once with asyncio.gather
# differs from r1_rewrite_loop: the calls stand in a generator, unpacked into an overloaded function
from __future__ import annotations
import asyncio
from support import ashrink, buf

async def main() -> None:
    await asyncio.gather(*(buf.arewrite(s, ashrink) for s in buf.spans))  # E: DerivedSpan


# run: asyncio.run(main())
