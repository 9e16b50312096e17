# observe(str(derived.text))
from __future__ import annotations
from support import buf, der

buf.observe(str(der.text))  # E: ObservedText
