# rewrite of a derived span
from __future__ import annotations
from support import buf, der, shrink

buf.rewrite(der, shrink)  # E: DerivedSpan
