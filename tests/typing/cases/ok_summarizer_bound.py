# summarizer(self.method)
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, summarizer
from support import buf, obs

class Llm:
    def __init__(self) -> None:
        self.sum = summarizer(self.ask)

    def ask(self, spans: Sequence[ObservedSpan], t: float = 0.0) -> str:
        return "x"


llm = Llm()
buf.rewrite(obs, llm.sum, t=0.5)
