# observe(expose(derived.text)): the named escape hatch
from __future__ import annotations
from ctxcontracts import expose
from support import buf, der

buf.observe(expose(der.text))  # E: DerivedStr
