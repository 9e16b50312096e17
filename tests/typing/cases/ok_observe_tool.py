# tool output observed, options kept
from __future__ import annotations
from support import buf, read_log

buf.observe(read_log("x"))
buf.observe(read_log(path="x"), pinned=True)
