# overloads of the user over both kinds
# differs from ok_isinstance: the kinds are told apart by overloads
from __future__ import annotations
from typing import assert_type, overload
from ctxcontracts import AnySpan, DerivedSpan, DerivedText, ObservedSpan, ObservedText
from support import der, obs

@overload
def text_of(span: ObservedSpan) -> ObservedText: ...
@overload
def text_of(span: DerivedSpan) -> DerivedText: ...
def text_of(span: AnySpan) -> ObservedText | DerivedText:
    return span.text


assert_type(text_of(obs), ObservedText)
assert_type(text_of(der), DerivedText)
