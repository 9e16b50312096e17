# rewrite of what filter(is_derived, ...) keeps
# differs from r1_merge_whole_buffer: the type comes out of a type guard that is passed as a function
from __future__ import annotations
from ctxcontracts import is_derived
from support import buf, shrink

buf.rewrite(list(filter(is_derived, buf.spans)), shrink)  # E: DerivedSpan
