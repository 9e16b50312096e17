# a summarizer option of type object that is given a derived span
# differs from r6_option_derived_text: object takes anything
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, summarizer
from support import buf, der, obs

@summarizer
def extend(spans: Sequence[ObservedSpan], previous: object = None) -> str:
    return str(len(spans))


buf.rewrite(obs, extend, previous=der)  # E: ctx-rewrite
