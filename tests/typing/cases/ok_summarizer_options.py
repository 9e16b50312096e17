# options forwarded through rewrite and merge
from __future__ import annotations
from support import buf, obs, shrink

buf.rewrite(obs, shrink, 10)
buf.rewrite(obs, shrink, max_words=10)
buf.rewrite([obs], shrink, max_words=10)
