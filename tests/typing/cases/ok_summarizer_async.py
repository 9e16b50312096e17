# async summarizer
from __future__ import annotations
from typing import assert_type
from ctxcontracts import DerivedSpan, DerivedText
from support import ashrink, buf, obs

async def main() -> None:
    assert_type(await ashrink([obs], max_words=3), DerivedText)
    assert_type(await buf.arewrite(obs, ashrink, max_words=3), DerivedSpan)
