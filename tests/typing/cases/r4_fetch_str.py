# cold store asked by a bare str
from __future__ import annotations
from support import buf

buf.store.fetch("s1")  # E: SourceId
