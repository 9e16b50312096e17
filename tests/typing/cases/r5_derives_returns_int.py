# @derives on a function that returns no text
# differs from r3_returns_int: the decorator takes any function of text, by a bound
from __future__ import annotations
from ctxcontracts import derives

@derives  # E: int
def count(messages: list[str]) -> int:  # E: int
    return len(messages)

# run: count([])
