# merge of buf.spans
from __future__ import annotations
from support import buf, shrink

buf.rewrite(buf.spans, shrink)  # E: DerivedSpan / AnySpan
