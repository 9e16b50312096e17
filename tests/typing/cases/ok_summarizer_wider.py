# summarizer that could take any span (contravariance)
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import AnySpan, summarizer
from support import buf, obs

@summarizer
def wide(spans: Sequence[AnySpan]) -> str:
    return str(len(spans))


buf.rewrite(obs, wide)
