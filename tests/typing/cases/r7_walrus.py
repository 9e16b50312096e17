# rewrite of a span that an assignment expression took from the window
# differs from r1_rewrite_union: the name is bound inside of the condition
from __future__ import annotations
from support import buf, shrink

if (span := buf.spans[0]).tokens > 3:
    buf.rewrite(span, shrink)  # E: DerivedSpan
