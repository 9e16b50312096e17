# dataclasses.replace of such a field
# differs from r7_dataclass_field: replace is special in some checkers and takes Any in others
from __future__ import annotations
from dataclasses import dataclass, replace
from ctxcontracts import ObservedSpan
from support import buf, der, obs, shrink

@dataclass
class State:
    last: ObservedSpan


buf.rewrite(replace(State(last=obs), last=der).last, shrink)  # E: DerivedSpan
