# a graph node that returns a derived span for a channel of observed ones
# differs from r7_typed_dict: the field is Annotated with a reducer, as graph libraries want it
from __future__ import annotations
import operator
from typing import Annotated, TypedDict
from ctxcontracts import ObservedSpan
from support import buf, obs, shrink

class State(TypedDict):
    spans: Annotated[list[ObservedSpan], operator.add]


def compact(state: State) -> State:
    return {"spans": [buf.rewrite(state["spans"], shrink)]}  # E: DerivedSpan


compact({"spans": [obs]})

# run: buf.rewrite(compact({"spans": [obs2]})["spans"], shrink)
