# comprehensions with a guard
# differs from ok_merge_filtered: narrowing by isinstance in a dict and a set comprehension
from __future__ import annotations
from ctxcontracts import DerivedSpan, ObservedSpan
from support import buf, shrink

texts = {s.id: s.text for s in buf.spans if isinstance(s, ObservedSpan)}
sources = {source for s in buf.spans if isinstance(s, DerivedSpan) for source in s.sources}
kept = [buf.rewrite(s, shrink) for s in buf.spans if isinstance(s, ObservedSpan) and s.tokens > 3]
print(texts, sources, kept)
