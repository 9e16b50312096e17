"""Words: what a name or a prompt says about summarizing. Nothing here looks at source text.

words_of("asummarize_oldMessages")  ->  {"asummarize", "old", "messages"}
asks_for_summary("Write a concise summary of the chat.", words)  ->  True
"""

from __future__ import annotations

from functools import lru_cache

from ctxlint.models import Words

_NEAR = 8
_BEFORE = 3
_PROMPT_WORDS = 3000


@lru_cache(maxsize=65536)
def words_of(name: str) -> frozenset[str]:
    """The words of a dotted or underscored or camel-cased name, in lower case."""
    return frozenset(split(name))


def split(name: str) -> list[str]:
    """The words of a name in order."""
    words: list[str] = []
    current = ""
    previous = ""
    for character in name:
        if not character.isalnum():
            words.append(current)
            current = ""
        elif character.isupper() and not previous.isupper():
            words.append(current)
            current = character
        else:
            current += character
        previous = character
    words.append(current)
    return [word.lower() for word in words if word]


def tokens(text: str) -> list[str]:
    """The words of a text in lower case."""
    cleaned = "".join(character if character.isalnum() else " " for character in text.lower())
    return cleaned.split()[:_PROMPT_WORDS]


def asks_for_summary(text: str, words: Words) -> bool:
    """A prompt tells its reader to summarize."""
    found = tokens(text)
    if len(found) < 2 and text.strip(":. \n") == text:
        return False  # a key or a mode, no sentence
    for index, token in enumerate(found):
        before = found[max(0, index - _BEFORE) : index]
        if token in words.commands:
            if not words.denials.intersection(before):
                return True
        elif token in words.nouns and words.makes.intersection(found[max(0, index - _NEAR) : index]):
            return True
    return False
