# summarizer(lambda spans: ...)
from __future__ import annotations
from ctxcontracts import summarizer
from support import buf, obs

f = summarizer(lambda spans: "x" * len(spans))
buf.rewrite(obs, f)
