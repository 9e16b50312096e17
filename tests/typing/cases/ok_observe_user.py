# user text observed
from __future__ import annotations
from ctxcontracts import user_text
from support import buf

buf.observe(user_text("hello"))
buf.observe(user_text(input()))
