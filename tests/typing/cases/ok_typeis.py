# narrowing by TypeIs, both branches
from __future__ import annotations
from typing import assert_type
from ctxcontracts import DerivedSpan, is_observed
from support import any_span, buf, shrink

s = any_span()
if is_observed(s):
    buf.rewrite(s, shrink)
else:
    assert_type(s, DerivedSpan)
    buf.rederive(s, shrink)
