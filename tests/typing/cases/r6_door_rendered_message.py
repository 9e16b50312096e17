# observe(user_text(content of a rendered message))
# differs from r6_door_rendered_text: messages are dictionaries of Any
from __future__ import annotations
from ctxcontracts import user_text
from support import buf

buf.observe(user_text(buf.render()[0]["content"]))  # E: ctx-launder
