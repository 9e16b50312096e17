# a summarizer that reads what another summarizer gave it
# differs from r6_closure_span: the derived text is made while it runs
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, expose, summarizer
from support import buf, obs, shrink

@summarizer
def twice(spans: Sequence[ObservedSpan]) -> str:
    return expose(shrink(spans))[:40]  # E: ctx-rewrite


buf.rewrite(obs, twice)
