# a @tool whose body returns exposed derived text
from __future__ import annotations
from ctxcontracts import expose, tool
from support import buf, der

@tool
def bad() -> str:
    return expose(der.text)  # E: DerivedStr / ctx-launder


buf.observe(bad())
