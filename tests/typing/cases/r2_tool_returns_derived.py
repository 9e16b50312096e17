# @tool on a function that returns derived text
from __future__ import annotations
from ctxcontracts import DerivedText, tool
from support import der

@tool  # E: DerivedText
def bad() -> DerivedText:  # E: DerivedText
    return der.text  # E: ctx-launder

# run: bad()
