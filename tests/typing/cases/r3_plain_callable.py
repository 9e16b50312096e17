# rewrite with an undecorated function
from __future__ import annotations
from support import buf, obs, plain

buf.rewrite(obs, plain)  # E: Sequence[ObservedSpan]
