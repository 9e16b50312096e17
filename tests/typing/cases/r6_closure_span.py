# a summarizer that closes over a derived span
# differs from r6_body_renders: the text comes from a variable outside of the function
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, expose, summarizer
from support import buf, der, obs

@summarizer
def closes(spans: Sequence[ObservedSpan]) -> str:
    return expose(der.text) + str(len(spans))  # E: ctx-rewrite


buf.rewrite(obs, closes)
