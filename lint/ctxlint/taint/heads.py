"""What functions are named for: the words of a name that say it, and those that only say with or for what.

summarize_history, _create_summary, compact        named for it
reply_with_summary, text_to_summarize              not: what counts stands before a preposition
turns_to_summary                                   but what something becomes is what it is named for
load_and_summarize                                 half of it: two things are done, and a call may be the other one
ask, complete_async, run_llm                       named for nothing but asking a model
"""

from __future__ import annotations

from enum import IntEnum

from ctxlint.models import Words
from ctxlint.taint.clients import GIVEN, MAKES
from ctxlint.taint.names import split

_STEMS = ("summar", "condens", "compact", "compress", "consolidat", "distil", "recap", "digest", "synthes")
_ASKS = ("ask", "gpt")
_INTO = (("to",), ("into",))
_ADDS = frozenset({"add", "append", "attach", "link", "map", "prepend", "save", "write"})
_BEGINS = frozenset({"send", "generate", "agenerate"})
_GIVEN = frozenset({"content", "message", "messages", "output", "text"})
_TOOLS = frozenset({"tool", "tools", "command"})


class Named(IntEnum):
    """How much a name has to do with summaries."""

    NOT = 0
    PARTLY = 1
    MAINLY = 2


def named(name: str, words: Words) -> Named:
    """What a function is named for."""
    found = split(name)
    if found[-2:-1] in _INTO and found[-1] in words.nouns and not _ADDS.intersection(found):
        return Named.MAINLY
    end = next((index for index, word in enumerate(found) if index and word in words.prepositions), len(found))
    found = found[:end]
    if words.no_context.intersection(split(name)) or words.denials.intersection(found):
        return Named.NOT
    if "and" in found[1:-1]:
        place = found.index("and", 1)
        first, second = (bool(words.around.intersection(part)) for part in (found[:place], found[place + 1 :]))
        return Named.PARTLY if first != second else Named.MAINLY if first else Named.NOT
    return Named.MAINLY if words.around.intersection(found) else Named.NOT


def asks(name: str, words: Words) -> bool:
    """A function is called as models and agents are asked, or its name speaks of summaries."""
    found = tuple(word for word in split(name) if word not in words.manners)
    prepares = found[0] in MAKES and found[-1] not in GIVEN | _GIVEN if len(found) > 1 else False
    if prepares or _TOOLS.intersection(found):
        return False  # `resolve_agent(...)` gives what is asked later
    spoken = any(word.startswith(_STEMS + _ASKS) or word in words.models for word in found)
    return spoken or (bool(found) and (found[-1] in words.asks or found[0] in _BEGINS))
