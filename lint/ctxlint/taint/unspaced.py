"""Prompts in languages that are written without spaces: the question of `ctxlint.taint.request`, for them.

"Please summarize the main content of the dialogue below."    an order: its verb stands behind "please" and the like
"You are a compressor of conversations."                      a role
"The summary of the talk so far is as follows."               no order: the summary is given
"Sum up in three lines, then go on with the next step."       no order of ours: the work goes on behind it

Clauses are what stands between two marks of punctuation. Words are not told apart: the lists in `models/words.toml`
hold what stands in a clause, at its start or at its end.
"""

from __future__ import annotations

import re

from ctxlint.models import Words

_QUOTES = re.compile("\\{+\\w+\\}+|[*`\"'\u3010\u3011\u300c\u300d\u300a\u300b\u201c\u201d]")
_CLAUSE = re.compile("[^\n.;:,!?()\\[\\]{}#\x00\u3002\uff01\uff1f\uff1b\uff0c\u3001\uff1a\uff08\uff09|\uff5c]+")
_NAMED = re.compile(r"[ ]?\[\x00\][ ]?")
"""A name that is filled in: the clause goes on behind it."""
_COUNTED = re.compile("\x00(?=[\u4e2a\u6761\u6bb5\u4efd\u7bc7\u8f6e\u6b21\u5219\u53e5\u5b57])")
"""A number that is filled in: "merge the N memories below"."""
_SHOWN = re.compile("[^\n\x00:\uff1a]{0,24}[:\uff1a] ?\x00(?:\\.\\.\\.|\u2026)")
"""A label before the first part of a text that is given: "Summary: the first lines ..."."""
_NUMBER = re.compile(r"^[\s\d\-\u2460-\u2473]+")
_START = 200
"""Characters in front of the main task."""
_END = 60
_TITLE = 100
_LABEL = 8
"""Characters of a key, a label or a mode."""
_BEFORE = 24
"""Characters between an order ("please", "you have to") and its verb: what it is based on, how it is done."""


def asks_unspaced(text: str, words: Words) -> bool:
    """The main task of a text is to rewrite context."""
    verbs = words.unspaced_commands | words.unspaced_reductions | words.unspaced_extracts
    if len(text) < _LABEL or not _has(text, verbs | words.unspaced_stems):
        return False
    if _has(text, words.unspaced_goes_on) or _has(text[:_TITLE], words.unspaced_titles):
        return False
    text = _SHOWN.sub("", _COUNTED.sub("", _NAMED.sub("", _QUOTES.sub("", text))))
    clauses = [(match.start(), match.end(), match.group()) for match in _CLAUSE.finditer(text)]
    return _is_slot(text, words) or any(
        _asks(_NUMBER.sub("", clause).strip(), words)
        for start, end, clause in clauses
        if start < _START or len(text) - end < _END
    )


def _is_slot(text: str, words: Words) -> bool:
    """Last words like "Summary:": what the model writes next."""
    bare = text.rstrip()
    return bare.endswith((":", "\uff1a")) and bare[:-1].endswith(tuple(words.unspaced_nouns)) and "\n" in bare


def _asks(clause: str, words: Words) -> bool:
    if clause.startswith(tuple(words.unspaced_roles)) and _has(clause, words.unspaced_stems):
        return True
    return (
        any(_orders(clause, verb, words) for verb in sorted(words.unspaced_commands))
        or (_has(clause, words.unspaced_context) and _any(clause, words.unspaced_reductions, words))
        or (_has(clause, words.unspaced_insights) and _any(clause, words.unspaced_extracts, words))
        or (clause.endswith(tuple(words.unspaced_nouns)) and _any(clause, words.unspaced_makes, words))
    )


def _any(clause: str, verbs: frozenset[str], words: Words) -> bool:
    return any(_orders(clause, verb, words) for verb in sorted(verbs))


def _orders(clause: str, verb: str, words: Words) -> bool:
    """The verb is the order of a clause: no report, no name of a text, and not about the agent's own work."""
    before, found, behind = clause.partition(verb)
    if not found or behind.startswith(tuple(words.unspaced_done)) or _has(behind, words.unspaced_own):
        return False
    if behind.startswith(tuple(words.unspaced_inside)) and not behind.startswith(tuple(words.unspaced_beginnings)):
        return False
    if before.rstrip().endswith(tuple(words.unspaced_denials)):
        return False
    return _ordered(before, words) or behind.startswith(tuple(words.unspaced_endings))


def _ordered(before: str, words: Words) -> bool:
    """What stands before a verb lets it be an order: nothing, or something that asks a little way off."""
    return not before or _has(before[-_BEFORE:], words.unspaced_orders)


def _has(text: str, words: frozenset[str]) -> bool:
    return any(word in text for word in words)
