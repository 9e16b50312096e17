# generation 2 does not exist
from __future__ import annotations
from typing import Literal
from support import buf, der, shrink

g: Literal[2] = buf.rederive(der, shrink).generation  # E: Literal[2]
print(g)
