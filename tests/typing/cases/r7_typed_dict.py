# a derived span under a key of a TypedDict for observed ones
# differs from r1_upcast: a dictionary display is checked key by key
from __future__ import annotations
from typing import TypedDict
from ctxcontracts import ObservedSpan
from support import der

class State(TypedDict):
    last: ObservedSpan


state: State = {"last": der}  # E: DerivedSpan
print(state)

# run: buf.rewrite(state["last"], shrink)
