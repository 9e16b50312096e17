# observe(derived.text[:9])
from __future__ import annotations
from support import buf, der

buf.observe(der.text[:9])  # E: DerivedText
