# a partial of a user's function that is called on a derived span
# differs from r1_partial: the wrong argument is given to the partial, not to partial()
from __future__ import annotations
from functools import partial
from ctxcontracts import DerivedSpan, ObservedSpan, Summarizer
from support import buf, der, shrink

def short(span: ObservedSpan, by: Summarizer[...]) -> DerivedSpan:
    return buf.rewrite(span, by)


partial(short, by=shrink)(der)  # E: DerivedSpan
