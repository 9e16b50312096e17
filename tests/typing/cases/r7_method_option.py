# a misspelled option of a method as summarizer
# differs from r3_kw_name: the ParamSpec begins behind self
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, summarizer
from support import buf, obs

class Model:
    @summarizer
    def ask(self, spans: Sequence[ObservedSpan], warmth: float = 0.0) -> str:
        return str(len(spans))


buf.rewrite(obs, Model().ask, warmht=0.5)  # E: warmht
