# match is exhaustive without a default
from __future__ import annotations
from ctxcontracts import AnySpan, DerivedSpan, ObservedSpan
from support import buf, shrink

def f(s: AnySpan) -> DerivedSpan:
    match s:
        case ObservedSpan():
            return buf.rewrite(s, shrink)
        case DerivedSpan():
            return buf.rederive(s, shrink)
