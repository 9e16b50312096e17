# a derived span behind Any
# differs from r1_rewrite_derived: Any is taken everywhere
from __future__ import annotations
from typing import Any
from support import buf, der, shrink

span: Any = der
buf.rewrite(span, shrink)  # E: ctx-any
