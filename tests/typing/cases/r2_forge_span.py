# ObservedSpan(...) by a user
from __future__ import annotations
from ctxcontracts import ObservedSpan, SourceId
from support import read_log

ObservedSpan(id=SourceId("s9"), text=read_log("x"))  # E: id
