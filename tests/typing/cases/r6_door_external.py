# a summary observed as a document from outside
# differs from r6_door_assistant: an overloaded door with a keyword
from __future__ import annotations
from ctxcontracts import expose, external_text
from support import buf, der

buf.observe(external_text(expose(der.text), url="notes"))  # E: DerivedTextCannotBecomeObserved
