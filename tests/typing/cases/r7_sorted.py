# rewrite of all spans, sorted by size
# differs from r1_merge_whole_buffer: a generic function makes a list of the union
from __future__ import annotations
from support import buf, shrink

buf.rewrite(sorted(buf.spans, key=lambda s: s.tokens), shrink)  # E: DerivedSpan / AnySpan
