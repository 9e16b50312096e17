# rewrite in a dict comprehension with a filter that says nothing of the kind
# differs from r7_comprehension: a condition that does not narrow
from __future__ import annotations
from support import buf, shrink

kept = {s.id: buf.rewrite(s, shrink) for s in buf.spans if s.tokens > 3}  # E: DerivedSpan
