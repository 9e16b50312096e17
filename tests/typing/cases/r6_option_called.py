# exposed text in an option of a summarizer that is called directly
# differs from r6_option_exposed: a call of the Summarizer itself, without the buffer
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, expose, summarizer
from support import der, obs

@summarizer
def extend(spans: Sequence[ObservedSpan], previous: str = "") -> str:
    return previous + str(len(spans))


extend([obs], expose(der.text))  # E: ctx-rewrite
