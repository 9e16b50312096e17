# observe(any_span.text)
from __future__ import annotations
from support import any_span, buf

buf.observe(any_span().text)  # E: DerivedText
