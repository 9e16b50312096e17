# @derives on a function that returns no text
from __future__ import annotations
from ctxcontracts import derives

@derives  # E: int
def count(messages: list[str]) -> int:  # E: int
    return len(messages)
