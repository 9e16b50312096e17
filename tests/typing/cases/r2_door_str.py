# observe(user_text(str(der.text)))
from __future__ import annotations
from ctxcontracts import user_text
from support import buf, der

buf.observe(user_text(str(der.text)))  # E: DerivedText / No overload / ctx-launder
