# rederive of an observed span
from __future__ import annotations
from support import buf, obs, shrink

buf.rederive(obs, shrink)  # E: ObservedSpan
