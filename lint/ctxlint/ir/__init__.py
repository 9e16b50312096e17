"""The intermediate representation: one lowering from `ast`, and plain data that workers return and a cache keeps."""

from __future__ import annotations

from ctxlint.ir.lower import lower_module
from ctxlint.ir.module import ClassIR, Condition, FunctionIR, Loop, ModuleIR, Parameter, Span, Where

IR_VERSION = 233
"""Rises with every change of what the lowering makes of the same source."""

__all__ = [
    "IR_VERSION",
    "ClassIR",
    "Condition",
    "FunctionIR",
    "Loop",
    "ModuleIR",
    "Parameter",
    "Span",
    "Where",
    "lower_module",
]
