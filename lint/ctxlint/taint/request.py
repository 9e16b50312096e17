"""What a prompt asks for: nothing of ours, a summary among other things, or mainly a rewriting of context.

    "You are a coding agent. [a page] Summarize your changes in the final answer."      NOT
    "You are a tutor. [a page] Keep a summary of the lesson. [a page]"                   MENTIONS
    "Fold the new lines into the existing summary: {summary} {lines} New summary:"       MAINLY

A prompt is read sentence by sentence. The main task stands in the first sentences, in a heading, or at the very end;
what stands deep inside a long prompt counts only when much of the prompt speaks of it.
"""

from __future__ import annotations

import re
from enum import IntEnum
from functools import lru_cache
from typing import NamedTuple

from ctxlint.models import Words
from ctxlint.taint.orders import Orders
from ctxlint.taint.purposes import answers, verdict
from ctxlint.taint.sentences import HOLE, Sentence, sentences
from ctxlint.taint.unspaced import asks_unspaced

_START = 90
"""Words in front of the main task: a role, a greeting, the situation."""
_PAGE = 400
_PAGES = 1000
_SOON = 60
"""The same, in a prompt of more than a page."""
_SOON_BEHIND = 8
_END = 40
_FAR = 60
"""Words behind another task, from which on an order is a part of that one."""
_SHORT = 80
_MANY = 3
_DENSE = 0.2
_LONG = 40_000


_FIELDS = r"\s*\w+\s*(?::\s*[\w.\[\]]+\s*)?"
_SIGNATURE = re.compile(f"{_FIELDS}(?:,{_FIELDS})*->{_FIELDS}(?:,{_FIELDS})*")


_KEY = re.compile(r"[A-Za-z0-9_./-]+")


class Asking(IntEnum):
    """How much a prompt has to do with rewriting context."""

    NOT = 0
    MENTIONS = 1
    MAINLY = 2


class _Signal(NamedTuple):
    """A sentence that asks for it: the words before and behind it, and whether it is a label or heading."""

    before: int
    behind: int
    label: bool
    role: bool


@lru_cache(maxsize=4096)
def asking(text: str, words: Words) -> Asking:
    """What the text, read as a prompt, asks its reader for."""
    if not text.isascii() and asks_unspaced(text[:_LONG], words):
        return Asking.MAINLY
    if "->" in text and _gives_summary(text, words):
        return Asking.MAINLY
    read = sentences(text[:_LONG])
    few = sum(len(sentence.words) for sentence in read) < 2 and not (read and read[0].label)
    if few or _KEY.fullmatch(text):
        return Asking.NOT  # a key or a mode, no sentence: "MERGE_SUMMARIES" names a prompt
    judge = _Judge(read, words)
    signals = judge.signals()
    if not signals:
        return Asking.NOT
    start = _START if judge.total < _PAGE else _SOON
    main = [s for s in signals if s.label or s.before < start or (s.behind < _END and not s.role)]
    late = len(signals) == 1 and not signals[0].label and signals[0].before >= start
    beside = judge.is_a_step(signals) or judge.other_task(signals) or judge.told_otherwise(signals)
    if beside or (late and judge.speaks_of_other()):
        return Asking.MENTIONS
    often = len(signals) >= _MANY and len(signals) >= _DENSE * len(read)
    return Asking.MAINLY if main or often else Asking.MENTIONS


def _gives_summary(text: str, words: Words) -> bool:
    """A signature of fields, whose result is a summary: `history, turns -> summary: str`."""
    if not _SIGNATURE.fullmatch(text):
        return False
    fields = text.partition("->")[2].split(",")
    return any(field.partition(":")[0].strip().rpartition("_")[2] in words.nouns for field in fields)


class _Judge:
    """One prompt under judgement."""

    def __init__(self, read: list[Sentence], words: Words) -> None:
        self.read = read
        self.words = words
        self.orders = Orders(read, words)
        self._placed: list[tuple[int, Sentence]] = []
        self.total = 0
        """How many words there are, and before each sentence."""
        for sentence in read:
            self._placed.append((self.total, sentence))
            self.total += len(sentence.words)

    def signals(self) -> list[_Signal]:
        """The sentences that ask for it."""
        found: list[_Signal] = []
        for index, (before, sentence) in enumerate(self._placed):
            role = self.orders.role(sentence)
            if role or self.orders.asks(index, sentence, short=self.total < _SHORT):
                heading = sentence.label and sentence.heading
                found.append(_Signal(before, self.total - before - len(sentence.words), heading, role))
        return found

    def is_a_step(self, signals: list[_Signal]) -> bool:
        """In several pages an order or two are a step, and so they are where the work goes on behind them."""
        if self.total > _PAGES and len(signals) < _MANY and not any(s.role or s.label for s in signals):
            return True
        return any(
            before > signals[-1].before
            and sentence.words[:1] == ("then",)
            and self.words.goes_on.intersection(sentence.words[1:_SOON_BEHIND])
            for before, sentence in self._placed
        )

    def speaks_of_other(self) -> bool:
        """A prompt that ends with an order is about tools, about a question, or about a judgement before that."""
        words = self.words
        return answers(self.read) or any(
            _TOOLS.intersection(sentence.words) or words.judges.intersection(sentence.words[:1])
            for sentence in self.read
        )

    def told_otherwise(self, signals: list[_Signal]) -> bool:
        """Words like "Your task is to ..." name another task: a page before the orders, or behind a mere role."""
        words = self.words
        ours = words.commands | words.reductions | words.rewrites | words.extracts | words.joins
        places = {signal.before for signal in signals}
        for before, sentence in self._placed:
            if before not in places and _is_duty(sentence.words):
                if before > signals[0].before:
                    return all(signal.role for signal in signals) and ours.isdisjoint(sentence.words)
                return signals[0].before > _FAR and not self.words.context_nouns.intersection(sentence.words)
        return False

    def other_task(self, signals: list[_Signal]) -> bool:
        """The prompt asks for something else that holds a summary's word: a title, a commit message, a verdict."""
        if len(signals) > 1:
            return False
        if any(
            before < signals[0].before and answers([sentence]) and self.words.duties.intersection(sentence.words)
            for before, sentence in self._placed[:3]
        ):
            return True  # the reader is there to answer a question
        if self._shapes_output(signals[0]):
            return True
        others = self.words.other_nouns | self.words.other_things
        if verdict(self.read) or any(self.orders.makes(sentence, others) for sentence in self.read[:6]):
            return True
        return any(self._tells_user(sentence.words) for sentence in self.read)

    def _shapes_output(self, signal: _Signal) -> bool:
        """Behind a prompt that is not known, a lone order below "Output format:" says how to answer."""
        return self.read[0].words[:1] == (HOLE,) and any(
            sentence.label and not _FORMS.isdisjoint(sentence.words)
            for before, sentence in self._placed
            if before < signal.before
        )

    def _tells_user(self, found: tuple[str, ...]) -> bool:
        """The reader speaks with somebody: "do not repeat what you have told the user"."""
        return any(
            word in self.words.tells and "user" in found[place + 1 : place + 4] and "you" in found[:place]
            for place, word in enumerate(found)
        )


def _is_duty(found: tuple[str, ...]) -> bool:
    """The sentence begins like "your task is to", "your job now is only to"."""
    return found[:1] == ("your",) and not _DUTIES.isdisjoint(found[1:2]) and "is" in found[2:4] and "to" in found[3:6]


_TOOLS = frozenset({"tool", "tools"})
_FORMS = frozenset({"format", "output", "outputs"})
_DUTIES = frozenset({"task", "job", "goal", "role"})
