# a summary as the origin of a document
# differs from r6_door_external: the text is right, and the url carries the summary
from __future__ import annotations
from ctxcontracts import expose, external_text
from support import buf, der

buf.observe(external_text("x", url=expose(der.text)))  # E: ctx-launder
