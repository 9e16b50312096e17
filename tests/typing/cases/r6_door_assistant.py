# a summary observed as a turn of the agent
# differs from r2_door_expose: another door
from __future__ import annotations
from ctxcontracts import assistant_text, expose
from support import buf, der

buf.observe(assistant_text(expose(der.text)))  # E: DerivedTextCannotBecomeObserved
