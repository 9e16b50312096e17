# rewrite behind a test for generation 1
# differs from r1_wrong_branch: narrowed by a literal property
from __future__ import annotations
from support import any_span, buf, shrink

span = any_span()
if span.generation == 1:
    buf.rewrite(span, shrink)  # E: DerivedSpan
