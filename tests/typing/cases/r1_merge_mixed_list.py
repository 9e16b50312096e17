# merge of a list display with one derived span
from __future__ import annotations
from support import buf, der, obs, shrink

buf.rewrite([obs, der], shrink)  # E: DerivedSpan
