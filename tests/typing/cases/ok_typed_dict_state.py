# both kinds in a TypedDict
# differs from ok_dataclass_state: keys in place of fields
from __future__ import annotations
from typing import NotRequired, TypedDict
from ctxcontracts import DerivedSpan, ObservedSpan
from support import buf, obs, shrink

class State(TypedDict):
    turns: list[ObservedSpan]
    summary: NotRequired[DerivedSpan]


state: State = {"turns": [obs]}
state["summary"] = buf.rewrite(state["turns"], shrink)
if "summary" in state:
    buf.rederive(state["summary"], shrink)
