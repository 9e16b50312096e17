# rewrite through functools.partial
from __future__ import annotations
from functools import partial
from support import buf, der

partial(buf.rewrite, der)  # E: DerivedSpan

# run: partial(buf.rewrite, der)(shrink)
