"""The words without which a run has nothing to find: most runs over small programs end with them."""

from __future__ import annotations

VOCABULARY = (
    "summar",
    "condens",
    "compact",
    "compress",
    "digest",
    "distil",
    "recap",
    "consolidat",
    "rewrit",
    "existing",
    "memor",
    "refine",
    "ctxcontracts",
)
"""Stems without which nothing in a file can make a call a summarizer, as far as the shipped models go."""
_STEMS = tuple(stem.encode() for stem in VOCABULARY)


def speaks(source: bytes) -> bool:
    """Some name or text in a file holds a word about summaries. One such file is enough for a whole run."""
    folded = source.lower()
    return any(stem in folded for stem in _STEMS)
