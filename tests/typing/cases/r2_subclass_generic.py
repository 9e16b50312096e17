# a structural look-alike passed as observed
from __future__ import annotations
from ctxcontracts import SourceId
from support import buf, shrink

class Fake:
    id = SourceId("s1")
    text = "x"
    origin = "tool"
    generation = 0


buf.rewrite(Fake(), shrink)  # E: Fake
