# s: str = expose(..); observe(user_text(s))
from __future__ import annotations
from ctxcontracts import expose, user_text
from support import buf, der

s: str = expose(der.text)
buf.observe(user_text(s))  # E: DerivedTextCannotBecomeObserved / ctx-launder
