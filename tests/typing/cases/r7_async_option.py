# a wrongly typed option of an async summarizer
# differs from r3_kw_type: the ParamSpec goes through two async signatures
from __future__ import annotations
from support import ashrink, buf, obs

async def main() -> None:
    await buf.arewrite(obs, ashrink, max_words="3")  # E: "str" / "Literal['3']" / Literal["3"]


# run: asyncio.run(main())
