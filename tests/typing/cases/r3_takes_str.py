# @summarizer on f(text: str) -> str
from __future__ import annotations
from ctxcontracts import summarizer

@summarizer  # E: str / No overload
def bad(text: str) -> str:  # E: str
    return text

# run: bad([obs])
