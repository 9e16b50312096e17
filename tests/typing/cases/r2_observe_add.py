# observe(derived.text + " x")
from __future__ import annotations
from support import buf, der

buf.observe(der.text + " x")  # E: DerivedText
