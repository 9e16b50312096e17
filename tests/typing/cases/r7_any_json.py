# a text of type Any through a door
# differs from r7_any: the text may be anything, a summary too; at run time this one is none
from __future__ import annotations
import json
from ctxcontracts import user_text
from support import buf

buf.observe(user_text(json.loads("{}").get("text", "x")))  # E: ctx-any
