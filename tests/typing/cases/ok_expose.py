# derived text exposed by name to a str
from __future__ import annotations
from ctxcontracts import expose
from support import der

x: str = expose(der.text)
print(x)
