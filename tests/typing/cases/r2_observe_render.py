# observe(buf.render()): the whole rendered context fed back
from __future__ import annotations
from support import buf

buf.observe(buf.render())  # E: Rendered
