# observe(derived.text.replace(..))
from __future__ import annotations
from support import buf, der

buf.observe(der.text.replace("a", "b"))  # E: DerivedText
