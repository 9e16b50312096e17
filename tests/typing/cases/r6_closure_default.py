# a summarizer with exposed text as the default of an option
# differs from r6_option_exposed: the option is given by the definition, not by the call
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, expose, summarizer
from support import buf, der, obs

@summarizer
def extend(spans: Sequence[ObservedSpan], previous: str = expose(der.text)) -> str:  # E: ctx-rewrite
    return previous + str(len(spans))


buf.rewrite(obs, extend)
