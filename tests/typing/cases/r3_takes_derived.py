# @summarizer on f(Sequence[DerivedSpan])
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import DerivedSpan, summarizer

@summarizer  # E: DerivedSpan / No overload
def bad(spans: Sequence[DerivedSpan]) -> str:  # E: DerivedSpan
    return str(len(spans))

# run: bad([der])
