# observe(clean(derived.text)) with clean(str) -> str
from __future__ import annotations
from support import buf, der

def clean(t: str) -> str:
    return t.strip()


buf.observe(clean(der.text))  # E: DerivedText
