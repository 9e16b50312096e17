# a summary observed as the recorded result of a tool
# differs from r6_door_external: a door for records
from __future__ import annotations
from ctxcontracts import expose, tool_text
from support import buf, der

buf.observe(tool_text(expose(der.text), name="notes"))  # E: DerivedTextCannotBecomeObserved
