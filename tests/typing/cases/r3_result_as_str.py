# summarizer result bound to a str name
from __future__ import annotations
from support import obs, shrink

x: str = shrink([obs])  # E: DerivedText
print(x)
