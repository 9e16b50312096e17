# a summarizer option that is given derived text
# differs from r3_kw_type: the option's type comes through the ParamSpec of rewrite, and names derived text
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, summarizer
from support import buf, der, obs

@summarizer
def extend(spans: Sequence[ObservedSpan], previous: str = "") -> str:
    return previous + str(len(spans))


buf.rewrite(obs, extend, previous=der.text)  # E: DerivedText
