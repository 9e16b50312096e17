# a derived span unpacked from a tuple of arguments
# differs from r1_rewrite_derived: positions are filled from a tuple type
from __future__ import annotations
from support import buf, der, shrink

arguments = (der, shrink)
buf.rewrite(*arguments)  # E: DerivedSpan
