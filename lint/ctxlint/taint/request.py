"""What a prompt asks for: nothing of ours, a summary among other things, or mainly a rewriting of context.

    "You are a coding agent. [a page] Summarize your changes in the final answer."      NOT
    "You are a tutor. [a page] Keep a summary of the lesson. [a page]"                   MENTIONS
    "Fold the new lines into the existing summary: {summary} {lines} New summary:"       MAINLY

A prompt is read sentence by sentence. The main task stands in the first sentences, in a heading, or at the very end;
what stands deep inside a long prompt counts only when much of the prompt speaks of it.
"""

from __future__ import annotations

from enum import IntEnum
from functools import cached_property, lru_cache
from typing import NamedTuple

from ctxlint.models import Words
from ctxlint.taint.purposes import verdict
from ctxlint.taint.sentences import COMMA, HOLE, Sentence, sentences

_START = 90
"""Words in front of the main task: a role, a greeting, the situation."""
_END = 40
_FAR = 60
"""Words behind another task, from which on an order is a part of that one."""
_SHORT = 80
_NEAR = 9
_MANY = 3
_DENSE = 0.2
_LONG = 40_000
_SENTENCE_NEAR = 14
_NAMED = 4
_OPENING = 160
_CLOSING = 60
"""Characters, where words are not told apart."""


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
    if any(word in text[:_OPENING] or word in text[-_CLOSING:] for word in words.elsewhere):
        return Asking.MAINLY
    read = sentences(text[:_LONG])
    if sum(len(sentence.words) for sentence in read) < 2 and not (read and read[0].label):
        return Asking.NOT  # a key or a mode, no sentence
    judge = _Judge(read, words)
    signals = judge.signals()
    if not signals:
        return Asking.NOT
    main = [s for s in signals if s.label or s.before < _START or (s.behind < _END and not s.role)]
    if judge.other_task(len(signals)) or judge.told_before(signals[0]):
        return Asking.MENTIONS
    if main or (len(signals) >= _MANY and len(signals) >= _DENSE * len(read)):
        return Asking.MAINLY
    return Asking.MENTIONS


class _Judge:
    """One prompt under judgement."""

    def __init__(self, read: list[Sentence], words: Words) -> None:
        self.read = read
        self.words = words
        self.asking = (
            words.commands | words.gerunds | words.reductions | words.makes | words.rewrites | words.extracts
        ) | (words.rewriting | words.reducing | words.joins)
        self.all: frozenset[str] = frozenset(word for sentence in read for word in sentence.words)

    def signals(self) -> list[_Signal]:
        """The sentences that ask for it."""
        total = sum(len(sentence.words) for sentence in self.read)
        before = 0
        found: list[_Signal] = []
        for index, sentence in enumerate(self.read):
            count = len(sentence.words)
            role = self._role(sentence)
            if role or self._asks(index, sentence, short=total < _SHORT):
                heading = sentence.label and sentence.heading
                found.append(_Signal(before, total - before - count, heading, role))
            before += count
        return found

    def told_before(self, first: _Signal) -> bool:
        """Before anything else "your task is to ..." names another task, and a page follows."""
        before = 0
        for sentence in self.read:
            if before >= first.before:
                return False
            found = sentence.words
            if found[:1] == ("your",) and found[2:4] == ("is", "to") and found[1] in {"task", "job", "goal", "role"}:
                return first.before > _FAR and not self.words.context_nouns.intersection(found)
            before += len(found)
        return False

    def other_task(self, signals: int) -> bool:
        """The prompt asks for something else that holds a summary's word: a title, a commit message, a verdict."""
        if signals > 1:
            return False
        others = self.words.other_nouns | self.words.other_things
        return verdict(self.read) or any(self._makes(sentence, others) for sentence in self.read[:6])

    def _asks(self, index: int, sentence: Sentence, *, short: bool) -> bool:
        found = sentence.words
        if self.words.excuses.intersection(found[:2]):
            if not short or COMMA not in found:
                return False
            found = found[found.index(COMMA) + 1 :]
        if sentence.label and self._answer_slot(sentence):
            return True
        if self._describes_tool(index, sentence):
            return False
        if self.words.other_nouns.intersection(found):
            return False
        return self._inquires(found) or any(
            self._asks_at(found, index)
            for index, word in enumerate(found)
            if word in self.asking and self._meant(found, index)
        )

    def _inquires(self, found: tuple[str, ...]) -> bool:
        """A question for insights of what is given: "what lessons can you draw from the turns above?"."""
        place = next((i for i in range(len(found) - 1) if found[i] in _MAY and found[i + 1] in _WHO), -1)
        if found[:1] != ("what",) or place < 0 or "from" not in found[place:]:
            return False
        behind = found[place + 2 :]
        given = behind[behind.index("from") :]
        about = (self.words.insights - self.words.plain_insights).intersection(found[1:place])
        draws = (self.words.extracts | _DRAWS).intersection(behind[:2])
        return bool(about and draws) and bool(_GIVEN.intersection(given[:4]) or self.words.context_nouns & set(given))

    def _describes_tool(self, index: int, sentence: Sentence) -> bool:
        """The sentence says what a tool does: `save_note`: ..., Use `save_note` to ..., summarize: a tool that ..."""
        words = self.words
        if sentence.names and words.uses.intersection(sentence.words[:2]):
            return True
        before = self.read[index - 1] if index else None
        if before is not None and before.label and before.names and len(before.words) <= _NAMED:
            return True
        after = self.read[index + 1] if index + 1 < len(self.read) else None
        return len(sentence.words) == 1 and after is not None and bool(words.tools.intersection(after.words))

    def _asks_at(self, found: tuple[str, ...], index: int) -> bool:
        words = self.words
        if words.other_things.intersection(found[index + 1 : index + 3]):
            return False
        word = found[index]
        if self._ordered_gerund(found, index) and self._duty(found, index):
            return True
        if not self._ordered(found, index):
            return False
        return (
            (word in words.commands and not self._own(found, found[index + 1 : index + 1 + _NEAR]))
            or (word in words.reductions and self._reduced(found, index))
            or (word in words.makes and self._made(found, index))
            or (word in words.rewrites and self._rewrites(found, index))
            or (word in words.extracts and self._extracted(found, index))
            or (word in words.makes and self._renewed(found, index))
            or (word in words.joins and self._joined(found, index))
        )

    def _duty(self, found: tuple[str, ...], index: int) -> bool:
        """What is named as the reader's duty is to rewrite something."""
        words, word = self.words, found[index]
        return (
            word in words.gerunds
            or (word in words.rewriting and self._rewrites(found, index))
            or (word in words.reducing and self._reduced(found, index))
            or (word in words.joins and self._joined(found, index))
        )

    # -- is it an order? -------------------------------------------------------------------------------------

    def _meant(self, found: tuple[str, ...], index: int) -> bool:
        """Nothing before the word takes it back: "do not", "rather than", "a tool that"."""
        words = self.words
        near = found[max(0, index - 4) : index]
        if self._listed(found[:index]):
            return False
        clause = near[near.index(COMMA) :] if COMMA in near else near
        return not (words.denials.intersection(clause) or words.tools.intersection(found[:index]))

    def _listed(self, before: tuple[str, ...]) -> bool:
        """The verb is the last of several that are denied together: "never guess, translate or summarize"."""
        start = 2 if before[:2] == ("do", "not") else int(bool(self.words.denials.intersection(before[:1])))
        between = [word for word in before[start:] if word not in {"or", "and"}]
        verbs, commas = between[::2], between[1::2]
        return bool(start and verbs) and COMMA not in verbs and all(word == COMMA for word in commas)

    def _ordered(self, found: tuple[str, ...], index: int) -> bool:
        """The verb is an imperative: it starts the sentence, or follows "to", "and", "you should" and the like."""
        words = self.words
        while index > 0 and found[index - 1] in words.fillers:
            index -= 1
        if found[max(0, index - 2) : index] == ("i", "will"):
            return False  # the model speaks itself
        if found[0] in words.uses and found[2:3] == ("to",):
            return False  # "use /compact to compress the chat": how a command works
        return index == 0 or found[index - 1] in words.orders or found[index - 1] in {HOLE, COMMA}

    def _ordered_gerund(self, found: tuple[str, ...], index: int) -> bool:
        before = found[max(0, index - 6) : index]
        return bool(self.words.duties.intersection(before))

    def _own(self, found: tuple[str, ...], behind: tuple[str, ...]) -> bool:
        """The agent's own work is to be told in its answer: that rewrites no context."""
        words = self.words
        done = "what" in behind[:2] and bool(words.done.intersection(behind[:6]))
        own = words.own.intersection(behind[:4])
        mine = words.yours.intersection(behind[:4]) and words.own_work.intersection(behind[:7])
        return bool(done or own or mine) and not words.carried.intersection(found)

    # -- what is ordered? ------------------------------------------------------------------------------------

    def _makes(self, sentence: Sentence, nouns: frozenset[str]) -> bool:
        found = sentence.words
        return any(
            word in self.words.makes and self._ordered(found, index) and self._head(found, index, nouns) >= 0
            for index, word in enumerate(found)
        )

    def _head(self, found: tuple[str, ...], index: int, nouns: frozenset[str]) -> int:
        """The noun that a verb makes, not one that stands in a part of it: "a report with a summary"."""
        for place in range(index + 1, min(len(found), index + 1 + _NEAR)):
            if found[place] in nouns:
                return place
            if found[place] in self.words.breaks or found[place] in self.words.denials:
                return -1  # "the deliverable itself, not a summary"
        return -1

    def _reduced(self, found: tuple[str, ...], index: int) -> bool:
        """What is reduced is a context, named behind the verb or before it ("... and consolidate them")."""
        words = self.words
        behind = found[index + 1 : index + 1 + _NEAR]
        if "into" in behind and words.products.intersection(behind[behind.index("into") :]):
            return False  # "distill the session into a reusable skill": what comes out stands for no context
        named = (*found[:index], *behind) if words.pronouns.intersection(behind[:2]) else behind[:7]
        if found[index].startswith("synthes") and "from" in named:
            named = named[: named.index("from")]  # "synthesize speech from the transcript"
        if words.context_nouns.intersection(named):
            return True
        return "into" in behind and bool(words.nouns.intersection(behind))

    def _made(self, found: tuple[str, ...], index: int) -> bool:
        words = self.words
        place = self._head(found, index, words.nouns)
        if place < 0:
            return False
        if found[place - 1] in words.own_work | words.own and words.carried.isdisjoint(found):
            return False  # "complete the task and return a result summary"
        return not self._own(found, found[place + 1 : place + 1 + _NEAR])

    def _rewrites(self, found: tuple[str, ...], index: int) -> bool:
        """Orders like "update the existing notes", "add X to the old facts", "rewrite the following fact sheet"."""
        words = self.words
        behind = found[index + 1 : index + 1 + _SENTENCE_NEAR]
        if {"on", "upon"}.intersection(behind[:1]):
            return False  # "build upon previous knowledge" changes no text
        kept = next((place for place, word in enumerate(behind) if word in words.kept), -1)
        if kept < 0:
            # "Update the biography", where the prompt said that there is an existing biography.
            strong = f"{found[index].removesuffix('e')}ing" in words.rewriting
            return strong and not self._kept_texts.isdisjoint(behind[:3])
        nouns = words.kept_nouns.intersection(behind[kept : kept + 5])
        if found[index] == "build" and behind[0] in {"on", "upon"}:
            nouns &= words.nouns  # "learn, and build upon past knowledge" is what somebody is like
        if nouns - words.answers:
            return True
        if not words.yours.isdisjoint(behind[: kept + 3]):
            return False
        return bool(nouns) and bool(words.news & self.all)

    def _joined(self, found: tuple[str, ...], index: int) -> bool:
        """Something new is joined with a text that is kept: "fold the new events into the current diary"."""
        words = self.words
        behind = found[index + 1 : index + 1 + _SENTENCE_NEAR]
        new = next((place for place, word in enumerate(behind) if word in words.news), len(behind))
        told = (words.context_nouns | words.insights | words.kept_nouns).intersection(behind[new + 1 : new + 4])
        kept = next((place for place, word in enumerate(behind) if word in words.kept - {"into"} and place > new), -1)
        return bool(told) and kept >= 0 and words.joined_things.isdisjoint(behind[kept : kept + 4])

    def _renewed(self, found: tuple[str, ...], index: int) -> bool:
        """A kept text is made anew: "write the updated profile", where the prompt also gives the existing profile."""
        words = self.words
        behind = found[index + 1 : index + 1 + _NEAR]
        for place, word in enumerate(behind):
            if word in words.renewed:
                return not self._kept_texts.isdisjoint(behind[place + 1 : place + 4])
            if word in words.breaks:
                return False
        return False

    @cached_property
    def _kept_texts(self) -> frozenset[str]:
        """The texts that the prompt gives as kept: "existing profile", "the old notes"."""
        found: set[str] = set()
        for sentence in self.read:
            for place, word in enumerate(sentence.words):
                if word in self.words.kept - {"into"}:
                    found.update(self.words.kept_nouns.intersection(sentence.words[place + 1 : place + 4]))
        return frozenset(found)

    def _extracted(self, found: tuple[str, ...], index: int) -> bool:
        words = self.words
        behind = found[index + 1 : index + 1 + _NEAR]
        if words.excuses.intersection(behind[:1]):
            return False  # "identify if ..." is a question
        if not (words.context_nouns - words.insights).intersection(found):
            return False
        # "knowledge triplets" are no knowledge: the last noun says what is drawn out.
        heads = {
            word
            for place, word in enumerate(behind)
            if not words.other_things.intersection(behind[place + 1 : place + 2])
        }
        insights = words.insights & heads
        return bool(insights - words.plain_insights) or bool(insights and words.weighty.intersection(behind))

    def _role(self, sentence: Sentence) -> bool:
        """Roles like "You are a summarizer", "an expert at condensing conversations"."""
        found = sentence.words
        start = next((i for i in range(len(found) - 1) if found[i : i + 2] in _ROLES), -1)
        if start < 0 or start > 2:
            return False
        behind = found[start + 2 : start + 2 + _SENTENCE_NEAR]
        place = next((i for i in range(len(behind)) if self._does(behind, i)), -1)
        if place < 0:
            place = next((i for i, word in enumerate(behind) if word in self.words.makes), -1)
            place = self._head(behind, place, self.words.remembered) if place >= 0 else -1
            place = -1 if "of" in behind[:place] else place
        return place >= 0 and not (self.words.tools | self.words.denials).intersection(behind[:place])

    def _does(self, behind: tuple[str, ...], place: int) -> bool:
        words = self.words
        if behind[place] in words.roles:
            return True
        if behind[place] in words.managers and words.managed.intersection(behind[max(0, place - 2) : place]):
            return True
        who = place > 0 and not words.who.isdisjoint(behind[max(0, place - 2) : place])
        return who and behind[place] in words.commands

    def _answer_slot(self, sentence: Sentence) -> bool:
        """Last words like "New summary:": what the model writes next. Before a text it labels that text."""
        found = sentence.words
        return sentence.bare and found[-1] in self.words.nouns and len(found) <= 6


_MAY = frozenset({"can", "could", "do", "would", "should"})
_WHO = frozenset({"you", "we", "i"})
_DRAWS = frozenset({"draw", "conclude", "deduce", "learn", "take"})
_GIVEN = frozenset({"above", "following", "below", "preceding", "these", "given"})
_ROLES = frozenset(
    {
        ("you", "are"),
        ("act", "as"),
        ("you", "re"),
        ("your", "role"),
        ("your", "task"),
        ("your", "job"),
        ("your", "goal"),
        ("as", "a"),
        ("as", "an"),
        ("you", "specialize"),
        ("you", "serve"),
    }
)
