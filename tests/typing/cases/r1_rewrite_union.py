# rewrite of an un-narrowed union
from __future__ import annotations
from support import any_span, buf, shrink

buf.rewrite(any_span(), shrink)  # E: DerivedSpan
