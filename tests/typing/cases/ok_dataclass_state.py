# both kinds in the fields of a dataclass
# differs from ok_annotated_fn: constructor and replace are made by a decorator
from __future__ import annotations
from dataclasses import dataclass, replace
from ctxcontracts import DerivedSpan, ObservedSpan
from support import buf, obs, obs2, shrink

@dataclass(frozen=True)
class State:
    last: ObservedSpan
    summary: DerivedSpan | None = None


state = State(last=obs)
state = replace(state, summary=buf.rewrite(state.last, shrink), last=obs2)
if state.summary is not None:
    buf.rederive(state.summary, shrink)
