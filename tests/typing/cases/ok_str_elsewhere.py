# ordinary str code near derived text is untouched
from __future__ import annotations
from ctxcontracts import expose
from support import der

names: list[str] = ["a", "b"]
x = ",".join(names) + "!"
y: str = f"{x} {expose(der.text)}"
z: list[str] = y.split()
d: dict[str, str] = {"t": expose(der.text)}
log: list[str] = [y]
log.append(expose(der.text))
print(x, z, d, log, y.upper() == x)
