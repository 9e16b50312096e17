# exposed text through two helpers and a variable, and a door
# differs from r6_helper_formats: two calls and an assignment lie between
from __future__ import annotations
from ctxcontracts import expose, user_text
from support import buf, der

def clean(text: str) -> str:
    return text.strip()


def titled(text: str) -> str:
    return "note: " + clean(text)


note = titled(expose(der.text))
buf.observe(user_text(note))  # E: ctx-launder
