# observe(t) where t = derived.text
from __future__ import annotations
from support import buf, der

t = der.text
buf.observe(t)  # E: DerivedText
