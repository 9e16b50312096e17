"""Words: what a name or a prompt says about summarizing. Nothing here looks at source text.

words_of("asummarize_oldMessages")  ->  {"asummarize", "old", "messages"}
asks_for_summary("Write a concise summary of the chat.", words)  ->  True
"""

from __future__ import annotations

from functools import lru_cache

from ctxlint.models import Words
from ctxlint.taint.request import Asking, asking


@lru_cache(maxsize=65536)
def words_of(name: str) -> frozenset[str]:
    """The words of a dotted or underscored or camel-cased name, in lower case."""
    return frozenset(split(name))


@lru_cache(maxsize=65536)
def split(name: str) -> tuple[str, ...]:
    """The words of a name in order."""
    if name.islower() and name.replace("_", "").isalnum():
        return tuple(filter(None, name.split("_")))  # most names: nothing to look at letter by letter
    words: list[str] = []
    current = ""
    previous = ""
    for place, character in enumerate(name):
        if not character.isalnum():
            words.append(current)
            current = ""
        elif character.isupper() and (not previous.isupper() or _begins(name[place + 1 : place + 3])):
            words.append(current)
            current = character
        else:
            current += character
        previous = character
    words.append(current)
    return tuple(word.lower() for word in words if word)


def _begins(behind: str) -> bool:
    """A capital behind an acronym begins a word: `LLMSummarizer` does, `URLs` does not."""
    return behind[:1].islower() and not (behind[0] == "s" and not behind[1:].islower())


def asks_for_summary(text: str, words: Words) -> bool:
    """A prompt mainly tells its reader to rewrite context; see `ctxlint.taint.request` for the degrees."""
    return asking(text, words) is Asking.MAINLY
