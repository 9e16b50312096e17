# observe(summarizer result)
from __future__ import annotations
from support import buf, obs, shrink

buf.observe(shrink([obs]))  # E: DerivedText
