# a summarizer option that is given exposed text
# differs from r6_option_derived_text: exposed text is a str, which is what the option takes
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, expose, summarizer
from support import buf, der, obs

@summarizer
def extend(spans: Sequence[ObservedSpan], previous: str = "") -> str:
    return previous + str(len(spans))


buf.rewrite(obs, extend, previous=expose(der.text))  # E: ctx-rewrite
