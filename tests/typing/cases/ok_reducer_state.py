# a graph node with a channel for each kind
# differs from ok_typed_dict_state: fields are Annotated with reducers
from __future__ import annotations
import operator
from typing import Annotated, Any, TypedDict
from ctxcontracts import DerivedSpan, ObservedSpan
from support import buf, shrink

class State(TypedDict):
    turns: Annotated[list[ObservedSpan], operator.add]
    summaries: Annotated[list[DerivedSpan], operator.add]


def compact(state: State) -> dict[str, Any]:
    return {"summaries": [buf.rewrite(state["turns"], shrink)]}
