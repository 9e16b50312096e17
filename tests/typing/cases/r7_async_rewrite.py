# an async rewrite of a derived span
# differs from r1_rewrite_derived: a coroutine method with a ParamSpec of its own
from __future__ import annotations
from support import ashrink, buf, der

async def main() -> None:
    await buf.arewrite(der, ashrink)  # E: DerivedSpan


# run: asyncio.run(main())
