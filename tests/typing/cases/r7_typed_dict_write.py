# a derived span written to a key of a TypedDict
# differs from r7_typed_dict: an assignment to an item
from __future__ import annotations
from typing import TypedDict
from ctxcontracts import ObservedSpan
from support import buf, obs, obs2, shrink

class State(TypedDict):
    last: ObservedSpan


state: State = {"last": obs}
state["last"] = buf.rewrite(obs2, shrink)  # E: DerivedSpan

# run: buf.rewrite(state["last"], shrink)
