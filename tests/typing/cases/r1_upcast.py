# assigning a derived span to an observed name
from __future__ import annotations
from ctxcontracts import ObservedSpan
from support import der

o: ObservedSpan = der  # E: DerivedSpan
print(o)

# run: buf.rewrite(o, shrink)
