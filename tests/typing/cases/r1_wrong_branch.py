# rewrite in the else branch of a TypeIs test
from __future__ import annotations
from ctxcontracts import is_observed
from support import any_span, buf, shrink

s = any_span()
if is_observed(s):
    buf.prune(s)
else:
    buf.rewrite(s, shrink)  # E: DerivedSpan
