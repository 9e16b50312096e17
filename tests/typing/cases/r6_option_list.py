# a summarizer option that is given a list of exposed texts
# differs from r6_option_exposed: the mark is inside of a container
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, expose, summarizer
from support import buf, der, obs

@summarizer
def extend(spans: Sequence[ObservedSpan], notes: Sequence[str] = ()) -> str:
    return str(len(spans))


buf.rewrite(obs, extend, notes=[expose(der.text)])  # E: ctx-rewrite
