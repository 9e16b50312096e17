# narrowing by isinstance, both branches
from __future__ import annotations
from typing import assert_type
from ctxcontracts import DerivedSpan, ObservedSpan
from support import any_span, buf, shrink

s = any_span()
if isinstance(s, ObservedSpan):
    buf.rewrite(s, shrink)
else:
    assert_type(s, DerivedSpan)
    buf.rederive(s, shrink)
