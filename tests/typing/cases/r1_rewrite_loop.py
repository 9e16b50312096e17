# compaction loop that rewrites every span
from __future__ import annotations
from support import buf, shrink

for s in buf.spans:
    buf.rewrite(s, shrink)  # E: DerivedSpan
