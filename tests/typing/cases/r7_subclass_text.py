# subclassing ObservedText
# differs from r2_subclass: a final subclass of str, whose constructor is sealed too
from __future__ import annotations
from ctxcontracts import ObservedText

class Fake(ObservedText):  # E: ObservedText
    pass
