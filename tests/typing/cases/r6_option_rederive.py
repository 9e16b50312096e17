# exposed text in an option of rederive
# differs from r6_option_exposed: another method with a ParamSpec of its own
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, expose, summarizer
from support import buf, der

@summarizer
def extend(spans: Sequence[ObservedSpan], previous: str = "") -> str:
    return previous + str(len(spans))


buf.rederive(der, extend, previous=expose(der.text))  # E: ctx-rewrite
