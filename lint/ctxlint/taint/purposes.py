"""What a prompt asks for instead of a summary: a verdict, the answer to a question, or an answer in another form.

"Is the summary complete? Answer 'NO' with a list of what is missing, otherwise answer 'YES'."      a verdict
"Given the pages above, answer the question."                                                       an answer
"Your last reply was not valid JSON. Write it again."                                               a repair

A verdict settles what a call asks for, whatever the functions around it are called. A prompt that answers a question
says no more than that a class named for summaries does other things, too.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache

from ctxlint.taint.sentences import COMMA, HOLE, Sentence, sentences

_YES, _NO = "yes", "no"
_NEAR = 3
_SAYS = frozenset({"answer", "output", "print", "reply", "respond", "return", "say", "write"})
_BEFORE = 4
_QUESTIONS = frozenset({"query", "queries", "question", "questions"})
_ANSWER = frozenset({"answer", "answers"})
_BEHIND = 4
_LONG = 8_000
_FIRST = 200
"""Characters at the start of a prompt that say what is wrong with an answer that was given."""
_BROKEN = re.compile(
    r"(?:invalid|malformed|incorrect|not (?:in )?(?:the |a )?(?:valid|correct|expected)) (?:json|xml|yaml|format)"
    r"|(?:could not|cannot|couldn't|can't|failed to|unable to) (?:be )?pars"
    "|\u683c\u5f0f(?:\u4e0d\u6b63\u786e|\u9519\u8bef|\u6709\u8bef)|\u65e0\u6cd5\u89e3\u6790",
    re.IGNORECASE,
)


def verdict(read: Sequence[Sentence]) -> bool:
    """The prompt has its reader choose between yes and no."""
    said: set[str] = set()
    for sentence in read:
        found = tuple(word for word in sentence.words if word not in {"or", "/", COMMA, HOLE})
        for index, word in enumerate(found):
            if word not in {_YES, _NO}:
                continue
            near = found[index + 1 : index + _NEAR - 1]
            if (_NO if word == _YES else _YES) in near:
                return True
            if _SAYS.intersection(found[max(0, index - _BEFORE) : index]):
                said.add(word)
    return len(said) > 1


def answers(read: Sequence[Sentence]) -> bool:
    """The prompt has its reader answer a question."""
    return any(
        word in _ANSWER and _QUESTIONS.intersection(sentence.words[index + 1 : index + 1 + _BEHIND])
        for sentence in read
        for index, word in enumerate(sentence.words)
    )


@lru_cache(maxsize=4096)
def asks_for_verdict(text: str) -> bool:
    """A text, read as a prompt, asks for a verdict."""
    return verdict(sentences(text[:_LONG]))


@lru_cache(maxsize=4096)
def asks_for_answer(text: str) -> bool:
    """A text, read as a prompt, asks for the answer to a question."""
    return answers(sentences(text[:_LONG]))


@lru_cache(maxsize=4096)
def asks_for_repair(text: str) -> bool:
    """A text begins by telling that an answer could not be read."""
    return bool(_BROKEN.search(text[:_FIRST]))
