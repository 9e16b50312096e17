# merge of list(filter(is_observed, buf.spans))
from __future__ import annotations
from ctxcontracts import is_observed
from support import buf, shrink

buf.rewrite(list(filter(is_observed, buf.spans)), shrink)
