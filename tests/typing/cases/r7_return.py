# a function that promises observed and returns derived
# differs from r1_upcast: the promise is a return type
from __future__ import annotations
from ctxcontracts import ObservedSpan
from support import buf, der, shrink

def last() -> ObservedSpan:
    return der  # E: DerivedSpan


buf.rewrite(last(), shrink)
