# a function over observed spans mapped over all spans
# differs from r1_map: a named function in place of a lambda
from __future__ import annotations
from ctxcontracts import DerivedSpan, ObservedSpan
from support import buf, shrink

def short(span: ObservedSpan) -> DerivedSpan:
    return buf.rewrite(span, shrink)


list(map(short, buf.spans))  # E: ObservedSpan / DerivedSpan / AnySpan
