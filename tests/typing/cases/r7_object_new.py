# an observed span made by object.__new__
# differs from r2_forge_span: the sealed constructor is not called
from __future__ import annotations
from ctxcontracts import ObservedSpan
from support import buf, shrink

buf.rewrite(object.__new__(ObservedSpan), shrink)  # E: nothing but the run sees it
