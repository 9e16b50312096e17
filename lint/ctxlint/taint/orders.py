"""Sentences of a prompt that order its reader to rewrite context, or name the reader as somebody who does.

"Summarize the chat."                       an imperative
"... tasked with condensing transcripts"    a duty
"Fold the new facts into the old notes."    a kept text that is changed
"You are a memory manager."                 a role
"Never summarize."                          none: denials, conditions, tools, titles, the agent's own work

The lists that the rules are made of stand in `models/words.toml`.
"""

from __future__ import annotations

from functools import cached_property, partial

from ctxlint.models import Words
from ctxlint.taint.sentences import COMMA, HOLE, Sentence

_NEAR = 9
_SENTENCE_NEAR = 14
_NAMED = 4


class Orders:
    """What the sentences of one prompt order."""

    def __init__(self, read: list[Sentence], words: Words) -> None:
        self.read = read
        self.words = words
        self.asking = (
            words.commands | words.gerunds | words.reductions | words.makes | words.rewrites | words.extracts
        ) | (words.rewriting | words.reducing | words.joins)
        self._before: tuple[str, ...] = ()
        """The words of the sentence before the one that is read: "The notes are too long. Please compress them."."""
        self.all: frozenset[str] = frozenset(word for sentence in read for word in sentence.words)

    def asks(self, index: int, sentence: Sentence, *, short: bool) -> bool:
        """A sentence asks its reader to rewrite context. In a `short` prompt a condition may come before that."""
        found = sentence.words
        self._before = self.read[index - 1].words if index else ()
        if self.words.excuses.intersection(found[:2]):
            if not short or COMMA not in found:
                return False
            found = found[found.index(COMMA) + 1 :]
        if index and sentence.label and self._answer_slot(sentence):
            return True
        if sentence.label and not sentence.bare and any(map(partial(self._names_input, found), range(len(found)))):
            return True  # "Conversation to summarize:", and then the conversation
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
        """The sentence tells of a tool or of a format: `save_note`: ..., Use `save_note` to ..., Observation: ..."""
        words = self.words
        if sentence.names and words.uses.intersection(sentence.words[:2]):
            return True
        if self._is_use(sentence) or self._with_tool(index, sentence):
            return True
        before = self.read[index - 1] if index else None
        if before is not None and before.label and before.names and len(before.words) <= _NAMED:
            return True
        if before is not None and before.label and words.steps.intersection(before.words[-1:]):
            return True  # "Answer: summarize the results": a field of the format in which an agent answers
        after = self.read[index + 1] if index + 1 < len(self.read) else None
        return len(sentence.words) == 1 and after is not None and bool(words.tools.intersection(after.words))

    def _is_use(self, sentence: Sentence) -> bool:
        """How a command is used: "To create a new memory, use:", and then how it is written."""
        found = sentence.words
        if found[0] != "to" or COMMA not in found:
            return False
        behind = found[found.index(COMMA) + 1 :]
        return bool(self.words.uses.intersection(behind[:1])) and (sentence.names or len(behind) == 1)

    def _with_tool(self, index: int, sentence: Sentence) -> bool:
        """The order is carried out with a function that was described before: "summarize each with ask_model"."""
        found = sentence.words
        place = next((i for i in range(len(found) - 1, 0, -1) if found[i] in _WITH), 0)
        behind = found[place + 1 :]
        name = behind[: behind.index(COMMA)] if COMMA in behind else behind
        if not (place and sentence.names and name) or len(name) > _NAMED:
            return False
        return any(
            before.names and name == before.words[start : start + len(name)]
            for before in self.read[:index]
            for start in range(len(before.words))
        )

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
            (word in words.commands and not self._about_else(found, index))
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
            (word in words.gerunds and not self._about_else(found, index))
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
        if self._names_input(found, index):
            return False  # "the records to summarize" are given
        return index == 0 or found[index - 1] in words.orders or found[index - 1] in {HOLE, COMMA}

    def _names_input(self, found: tuple[str, ...], index: int) -> bool:
        """An attribute of what is given: "the messages to summarize"."""
        inputs = self.words.inputs | self.words.context_nouns
        before = found[max(0, index - 2) : index]
        return (
            found[index] in self.words.commands
            and before[1:] == ("to",)
            and before[0] in inputs
            and index + 3 > len(found)
        )

    def _ordered_gerund(self, found: tuple[str, ...], index: int) -> bool:
        before = found[max(0, index - 6) : index]
        return bool(self.words.duties.intersection(before))

    def _about_else(self, found: tuple[str, ...], place: int) -> bool:
        """What is told briefly is no context (a reason, a plan), or the agent's own work that is not carried over."""
        words = self.words
        behind = found[place + 1 : place + 1 + _NEAR]
        if words.no_contexts.intersection(behind[:4]):
            return True
        yours = bool({"you", "you're"}.intersection(behind[1:4]) and words.yet.intersection(behind[2:6]))
        done = "what" in behind[:2] and (yours or bool(words.done.intersection(behind[:6])))
        own = words.own.intersection(behind[:4])
        mine = words.yours.intersection(behind[:4]) and words.own_work.intersection(behind[:7])
        return bool(done or own or mine) and not words.carried.intersection(_clause(found, place))

    # -- what is ordered? ------------------------------------------------------------------------------------

    def makes(self, sentence: Sentence, nouns: frozenset[str]) -> bool:
        """A sentence orders to write one of `nouns`."""
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
        if "into" in found[index:] and words.products.intersection(found[found.index("into", index) :]):
            return False  # "distill the session into a reusable skill": what comes out stands for no context
        named = behind[:7]
        if words.pronouns.intersection(behind[:2]):
            named = (*(self._before if len(behind) == 1 else ()), *found[:index], *behind)
        if found[index].startswith("synthes") and "from" in named:
            named = named[: named.index("from")]  # "synthesize speech from the transcript"
        if any(word in words.context_nouns and not _measures(named, place) for place, word in enumerate(named)):
            return True
        return "into" in behind and bool(words.nouns.intersection(behind))

    def _made(self, found: tuple[str, ...], index: int) -> bool:
        words = self.words
        place = self._head(found, index, words.nouns)
        if place < 0:
            return False
        if found[place - 1] in words.own_work | words.own and words.carried.isdisjoint(found):
            return False  # "complete the task and return a result summary"
        return not self._about_else(found, place)

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
        # "knowledge triplets" and "the knowledge graph" are no knowledge: the last noun says what is drawn out.
        others = words.other_things | words.graphs
        heads = {word for place, word in enumerate(behind) if not others.intersection(behind[place + 1 : place + 2])}
        insights = words.insights & heads
        return bool(insights - words.plain_insights) or bool(insights and words.weighty.intersection(behind))

    def role(self, sentence: Sentence) -> bool:
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
            return words.no_contexts.isdisjoint(behind[place + 1 : place + 5])
        if behind[place] in words.managers and words.managed.intersection(behind[max(0, place - 2) : place]):
            return _GRAPHS.isdisjoint(behind[max(0, place - 3) : place])
        who = place > 0 and not words.who.isdisjoint(behind[max(0, place - 2) : place])
        return who and behind[place] in words.commands

    def _answer_slot(self, sentence: Sentence) -> bool:
        """Last words like "New summary:", "Merged memory:": what comes next. Before a text they label it."""
        words, found = self.words, sentence.words
        if not sentence.bare or len(found) > _SLOT:
            return False
        made_anew = not words.renewed.isdisjoint(found[:-1]) and found[-1] in words.remembered | words.kept_nouns
        return found[-1] in words.nouns or (made_anew and found[-1] not in words.answers - _NOTED)


_SLOT = 6
_NOTED = frozenset({"facts", "observations"})
_WITH = frozenset({"with", "using", "via"})
_GRAPHS = frozenset({"graph", "graphs"})
"""A memory that is a graph is changed edge by edge."""
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


def _clause(found: tuple[str, ...], place: int) -> tuple[str, ...]:
    """The words of a sentence up to the next order: "summarize your work, and tell whether the context is enough"."""
    end = next(
        (i for i in range(place, len(found) - 1) if found[i] == COMMA and found[i + 1] in _GOES_ON), len(found)
    )
    return found[:end]


def _measures(found: tuple[str, ...], place: int) -> bool:
    """A length and no text: "in two sentences", "3 lines"."""
    before = found[place - 1] if place and found[place] in _LENGTHS else ""
    return before.isdigit() or before in _NUMBERS


_GOES_ON = frozenset({"and", "then"})
_LENGTHS = frozenset({"lines", "paragraphs", "sentences"})
_NUMBERS = frozenset({"one", "two", "three", "four", "five", "six", "ten", "few", "several"})
