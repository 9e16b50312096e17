# merge of [s for s in buf.spans if is_observed(s)]
from __future__ import annotations
from ctxcontracts import is_observed
from support import buf, shrink

buf.rewrite([s for s in buf.spans if is_observed(s)], shrink)
