# subclassing ContextBuffer, whose guards a method of the subclass would replace
# differs from r2_subclass: a class that users construct themselves
from __future__ import annotations
from ctxcontracts import ContextBuffer

class Mine(ContextBuffer):  # E: ContextBuffer
    pass
