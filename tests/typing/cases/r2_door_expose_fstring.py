# observe(user_text(f"{expose(derived.text)}"))
from __future__ import annotations
from ctxcontracts import expose, user_text
from support import buf, der

buf.observe(user_text(f"{expose(der.text)}"))  # E: DerivedTextCannotBecomeObserved / ctx-launder
