# rewrite of a span that may be None
# differs from r1_rewrite_union: the other member of the union is no span
from __future__ import annotations
from ctxcontracts import ObservedSpan
from support import buf, shrink

def last() -> ObservedSpan | None:
    return None


buf.rewrite(last(), shrink)  # E: None
