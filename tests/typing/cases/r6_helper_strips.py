# exposed text through a helper of str to str, and a door
# differs from r2_door_expose: the helper's result type is a plain str
from __future__ import annotations
from ctxcontracts import expose, user_text
from support import buf, der

def clean(text: str) -> str:
    return text.strip()


buf.observe(user_text(clean(expose(der.text))))  # E: ctx-launder
