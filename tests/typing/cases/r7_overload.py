# an overloaded function of the user called on the wrong kind
# differs from r1_rewrite_derived: the error is that no overload fits
from __future__ import annotations
from typing import overload
from ctxcontracts import DerivedSpan, ObservedSpan
from support import buf, der, shrink

@overload
def short(span: ObservedSpan, /) -> DerivedSpan: ...
@overload
def short(span: ObservedSpan, words: int, /) -> DerivedSpan: ...
def short(span: ObservedSpan, words: int = 50, /) -> DerivedSpan:
    return buf.rewrite(span, shrink, words)


short(der)  # E: DerivedSpan / No overload / No matching overload
