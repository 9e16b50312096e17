# ObservedSpan(text=derived.text)
from __future__ import annotations
from ctxcontracts import ObservedSpan, SourceId
from support import der

ObservedSpan(id=SourceId("s9"), text=der.text)  # E: id
