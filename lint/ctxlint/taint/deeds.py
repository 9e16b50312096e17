"""What the name of a function says that it does with a record: puts it away, or gives it back, and which.

upsert_session    writes, of {"session"}        aget_sessions    reads, of {"session"}
save              writes, of nothing            shorten          nothing of the kind
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from ctxlint.models.schema import StoreWords
from ctxlint.taint.names import split


class Deed(NamedTuple):
    """A function `writes` records of a kind, or reads them. `nouns` are singular, and empty for any kind."""

    writes: bool
    verb: str
    nouns: frozenset[str]

    def fits(self, other: Deed) -> bool:
        """The two may speak of the same kind of record."""
        return not self.nouns or not other.nouns or bool(self.nouns & other.nouns)

    def agrees(self, other: Deed) -> bool:
        """The two name the same kind of record."""
        return bool(self.nouns & other.nouns)


class Deeds:
    """Reads names."""

    def __init__(self, words: StoreWords) -> None:
        self.words = words
        self._verbs = words.writes | words.reads
        self._idle = words.idle | words.reads
        self._known: dict[str, Deed | None] = {}

    def of(self, name: str) -> Deed | None:
        """What a name says that its function does, None when it says nothing of the kind."""
        if name not in self._known:
            self._known[name] = self._find(name)
        return self._known[name]

    def _find(self, name: str) -> Deed | None:
        words = list(split(name))
        while len(words) > 1 and words[0] in self.words.before:
            words.pop(0)
        verb = words[0] if words else ""
        if verb not in self._verbs and verb[:1] == "a":
            verb = verb[1:]  # `aget`: the form for coroutines
        if verb not in self._verbs:
            return None
        return Deed(verb in self.words.writes, verb, self._nouns(words[1:]))

    def nouns(self, name: str) -> frozenset[str]:
        """The kinds of records that the name of a function speaks of, whatever it does with them."""
        words = list(split(name))
        while len(words) > 1 and words[0] in self.words.before:
            words.pop(0)
        return self._nouns(words[1:])

    def named(self, name: str) -> frozenset[str]:
        """The kinds of records that the name of a thing speaks of: a field, a keyword."""
        return self._nouns(split(name))

    def _nouns(self, words: Sequence[str]) -> frozenset[str]:
        rest = [word for word in words if word not in self._idle and not word.isdigit()]
        return frozenset(map(self._noun, rest))

    def _noun(self, word: str) -> str:
        return "message" if word in self.words.messages else singular(word)


def singular(word: str) -> str:
    """A noun without the ending of its plural."""
    if word.endswith("ies") and len(word) > len("ties"):
        return word[:-3] + "y"
    if word.endswith(("sses", "xes")):
        return word[:-2]
    return word[:-1] if word.endswith("s") and not word.endswith("ss") and len(word) > len("its") else word
