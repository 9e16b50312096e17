# observe(derived.text)
from __future__ import annotations
from support import buf, der

buf.observe(der.text)  # E: DerivedText
