# @summarizer on a function that returns int
from __future__ import annotations
from collections.abc import Sequence
from ctxcontracts import ObservedSpan, summarizer

@summarizer  # E: int / No overload
def bad(spans: Sequence[ObservedSpan]) -> int:  # E: int
    return len(spans)

# run: bad([obs])
