# subclassing ObservedSpan
from __future__ import annotations
from ctxcontracts import ObservedSpan

class Fake(ObservedSpan):  # E: ObservedSpan
    pass
