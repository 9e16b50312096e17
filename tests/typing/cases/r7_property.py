# a property that promises observed and returns a rewrite
# differs from r7_return: the promise is read as an attribute
from __future__ import annotations
from ctxcontracts import ObservedSpan
from support import buf, obs, shrink

class Agent:
    @property
    def last(self) -> ObservedSpan:
        return buf.rewrite(obs, shrink)  # E: DerivedSpan


buf.rewrite(Agent().last, shrink)
