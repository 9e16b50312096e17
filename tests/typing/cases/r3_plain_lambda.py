# rewrite with a bare lambda
from __future__ import annotations
from support import buf, obs

buf.rewrite(obs, lambda spans: "x")  # E: Summarizer
