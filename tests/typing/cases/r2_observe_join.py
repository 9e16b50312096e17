# observe("".join([derived.text]))
from __future__ import annotations
from support import buf, der

buf.observe("".join(["x", der.text]))  # E: DerivedText / No overload / ctx-launder
