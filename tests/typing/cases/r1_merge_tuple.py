# merge of a mixed tuple
from __future__ import annotations
from support import buf, der, obs, shrink

pair = (obs, der)
buf.rewrite(pair, shrink)  # E: DerivedSpan
