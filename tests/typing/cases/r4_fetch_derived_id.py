# cold store asked by a derived id
from __future__ import annotations
from support import buf, der

buf.store.fetch(der.id)  # E: DerivedId
