# rewrite through a bound-method alias
from __future__ import annotations
from support import buf, der, shrink

f = buf.rewrite
f(der, shrink)  # E: DerivedSpan
