# exposed text appended to a list that is joined, and a door
# differs from r2_door_join: the list is filled by a method, and its type stays list[str]
from __future__ import annotations
from ctxcontracts import expose, user_text
from support import buf, der

lines: list[str] = ["notes"]
lines.append(expose(der.text))
buf.observe(user_text("\n".join(lines)))  # E: ctx-launder
