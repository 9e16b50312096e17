# observe(f"note: {derived.text}!")
from __future__ import annotations
from support import buf, der

buf.observe(f"note: {der.text}!")  # E: ObservedText
