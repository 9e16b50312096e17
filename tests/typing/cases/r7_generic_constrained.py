# a derived span through a function over a constrained type variable
# differs from r7_generic_function: constraints are solved to one of two classes, not to a union
from __future__ import annotations
from typing import TypeVar
from ctxcontracts import DerivedSpan, ObservedSpan
from support import buf, der, shrink

S = TypeVar("S", ObservedSpan, DerivedSpan)


def same(span: S) -> S:
    return span


buf.rewrite(same(der), shrink)  # E: DerivedSpan
