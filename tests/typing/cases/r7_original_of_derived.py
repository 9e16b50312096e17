# the original of a derived id
# differs from r4_fetch_derived_id: asked of the buffer
from __future__ import annotations
from support import buf, der

buf.original(der.id)  # E: DerivedId
