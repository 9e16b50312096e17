# exposed text through JSON and back, and a door
# differs from r7_any_json: what json.loads gives is Any, and its annotation a str
from __future__ import annotations
import json

from ctxcontracts import expose, user_text
from support import buf, der

note: str = json.loads(json.dumps({"note": expose(der.text)}))["note"]
buf.observe(user_text(note))  # E: ctx-launder
