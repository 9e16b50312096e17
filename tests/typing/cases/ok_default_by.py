# Summarizer[...] as a parameter type
from __future__ import annotations
from ctxcontracts import DerivedSpan, Summarizer
from support import buf, obs, shrink

def compact(by: Summarizer[...]) -> DerivedSpan:
    return buf.rewrite(obs, by)


compact(shrink)
