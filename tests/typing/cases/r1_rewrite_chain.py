# rewrite of a rewrite, in one expression
from __future__ import annotations
from support import buf, obs, shrink

buf.rewrite(buf.rewrite(obs, shrink), shrink)  # E: DerivedSpan
