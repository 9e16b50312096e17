# a rendered buffer joined to one text and observed
# differs from r6_door_rendered_message: a generator over messages, and str.join
from __future__ import annotations
from ctxcontracts import user_text
from support import buf

buf.observe(user_text("\n".join(message["content"] for message in buf.render())))  # E: ctx-launder
