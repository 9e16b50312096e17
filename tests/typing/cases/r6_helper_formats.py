# exposed text through a helper that formats, and a door
# differs from r6_helper_strips: an f-string makes a new str, which has no mark at run time either
from __future__ import annotations
from ctxcontracts import expose, user_text
from support import buf, der

def titled(text: str, title: str = "note") -> str:
    return f"{title}: {text}"


buf.observe(user_text(titled(expose(der.text))))  # E: ctx-launder
