# subclassing Summarizer
# differs from r2_subclass: a generic class over a ParamSpec
from __future__ import annotations
from ctxcontracts import Summarizer

class Fake(Summarizer[[]]):  # E: Summarizer
    pass
