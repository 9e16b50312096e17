# observe(f"{derived.text}")
from __future__ import annotations
from support import buf, der

buf.observe(f"{der.text}")  # E: ObservedText
