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
    # to summarize, to condense, a summary: in Chinese, Japanese and Korean
    "\u603b\u7ed3",
    "\u6458\u8981",
    "\u6982\u62ec",
    "\u5f52\u7eb3",
    "\u6d53\u7f29",
    "\u538b\u7f29",
    "\u5408\u5e76",
    "\u6574\u5408",
    "\u7cbe\u7b80",
    "\u8bb0\u5fc6",
    "\u63d0\u70bc",
    "\u7f29\u51cf",
    "\u7e3d\u7d50",
    "\u58d3\u7e2e",
    "\u8981\u7d04",
    "\uc694\uc57d",
)
"""Stems without which nothing in a file can make a call a summarizer, as far as the shipped models go."""
_STEMS = tuple(stem.encode() for stem in VOCABULARY)


def speaks(source: bytes) -> bool:
    """Some name or text in a file holds a word about summaries. One such file is enough for a whole run."""
    folded = source.lower()
    return any(stem in folded for stem in _STEMS)
