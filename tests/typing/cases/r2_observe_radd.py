# observe("x " + derived.text)
from __future__ import annotations
from support import buf, der

buf.observe("x " + der.text)  # E: DerivedText
