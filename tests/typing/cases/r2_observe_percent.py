# observe("%s" % derived.text)
from __future__ import annotations
from support import buf, der

buf.observe("note %s" % der.text)  # E: ObservedText
