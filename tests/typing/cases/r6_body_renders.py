# a summarizer whose body reads the rendered buffer
# differs from r3_takes_derived: the parameter is right, and the body reads more than it is given
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, summarizer
from support import buf, obs

@summarizer
def reads(spans: Sequence[ObservedSpan]) -> str:
    return f"{buf.render()} and {len(spans)}"  # E: ctx-rewrite


buf.rewrite(obs, reads)
