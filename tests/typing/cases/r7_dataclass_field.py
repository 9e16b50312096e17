# a derived span in a dataclass field for observed ones
# differs from r1_upcast: the parameter is made by a class decorator
from __future__ import annotations
from dataclasses import dataclass
from ctxcontracts import ObservedSpan
from support import der

@dataclass
class State:
    last: ObservedSpan


State(last=der)  # E: DerivedSpan

# run: buf.rewrite(State(last=der).last, shrink)
