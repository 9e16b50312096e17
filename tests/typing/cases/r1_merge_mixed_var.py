# merge of a variable list[AnySpan]
from __future__ import annotations
from ctxcontracts import AnySpan
from support import buf, der, obs, shrink

xs: list[AnySpan] = [obs, der]
buf.rewrite(xs, shrink)  # E: DerivedSpan / AnySpan
