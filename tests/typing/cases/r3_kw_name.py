# misspelled summarizer option through rewrite
from __future__ import annotations
from support import buf, obs, shrink

buf.rewrite(obs, shrink, max_wrods=3)  # E: max_wrods
