# a partial of a user's function
# differs from ok_map_lambda: the summarizer is bound before
from __future__ import annotations
from functools import partial
from ctxcontracts import DerivedSpan, ObservedSpan, Summarizer
from support import buf, obs, obs2, shrink

def short(span: ObservedSpan, by: Summarizer[...]) -> DerivedSpan:
    return buf.rewrite(span, by)


kept = list(map(partial(short, by=shrink), [obs, obs2]))
