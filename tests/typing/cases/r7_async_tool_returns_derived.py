# @async_tool on a function that returns derived text
# differs from r2_tool_returns_derived: the result is wrapped in a coroutine
from __future__ import annotations
from ctxcontracts import DerivedText, async_tool
from support import der

@async_tool  # E: DerivedText
async def bad() -> DerivedText:  # E: DerivedText
    return der.text  # E: ctx-launder


# run: asyncio.run(bad())
