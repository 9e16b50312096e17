"""How the size of a text is counted."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

TokenCounter: TypeAlias = Callable[[str], int]
"""Gives the number of tokens of a text, at least 0. It should be additive up to a few tokens."""


def estimate_tokens(text: str) -> int:
    """One token for four UTF-8 bytes, rounded up: the rule of thumb for current tokenizers, within about 25 %.

    Give the buffer your model's own counter where the budget is tight.
    """
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    return (size + 3) // 4
