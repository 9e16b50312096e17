# list[Observed] aliased as list[Any span] (would let a derived span in)
from __future__ import annotations
from ctxcontracts import AnySpan, ObservedSpan
from support import der, obs

xs: list[ObservedSpan] = [obs]
ys: list[AnySpan] = xs  # E: list[ObservedSpan]
ys.append(der)

# run: buf.rewrite(xs, shrink)
