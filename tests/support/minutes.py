"""Minutes of meetings that we wrote: turns, the summary that somebody made of them, and replies that mention it.

Each text is assembled from phrases by a seeded choice, so that there are many and each is different.
"""

from __future__ import annotations

import random
from typing import NamedTuple

_WHO = [
    "Mara", "Jonas", "Ines", "the new contractor", "the on-call engineer", "Tove", "a customer from Lyon", "Pavel",
]  # fmt: skip
_DID = [
    "moved the nightly export to the second cluster", "found that the invoices were rounded twice",
    "asked for a week to rewrite the importer", "reported a leak in the image cache", "wants the old dashboard back",
    "tried the migration on a copy and lost three columns", "noticed that retries hid a broken certificate",
    "changed the timeout of the gateway from ten to forty seconds", "could not reproduce the crash on the tablet",
    "suggested to drop support for the old file format", "restored the backup of the wrong month",
    "measured that half of the time goes into parsing dates",
]  # fmt: skip
_WHY = [
    "because the disk of the first one filled up every Sunday", "after two support calls about missing refunds",
    "since nobody had touched that code for years", "while the release was already on its way",
    "although the contract says otherwise", "before anybody had read the warning", "and it has been quiet since then",
    "but the test for it was skipped in March", "so the figures of the last quarter are wrong",
    "which explains the strange bills of two hospitals",
]  # fmt: skip
_VERDICTS = [
    "The group agreed that this cannot wait for the next planning round.", "Nobody objected, though two had doubts.",
    "It was left open who would tell the people in Lyon.", "A decision was put off until the numbers are in.",
    "They settled on the cheaper of the two proposals.", "Everyone but one thought the risk acceptable.",
]  # fmt: skip
_SHORT = [
    "{who}: {did}; needs an owner by Friday.", "Open point: {who} {did}, cause known, fix not scheduled yet.",
    "According to the discussion {who} {did}, with a follow-up planned for the coming sprint.",
    "Worth remembering that {who} {did}; the rest of the group will look at it together later on.",
]  # fmt: skip


class Minutes(NamedTuple):
    """One meeting.

    Attributes:
        turns: what was said.
        summary: what a summarizer made of it, in words of its own and some of theirs.
    """

    turns: tuple[str, ...]
    summary: str


def meeting(seed: int) -> Minutes:
    """The minutes of one meeting; equal seeds give equal minutes."""
    chance = random.Random(seed)
    facts = [(chance.choice(_WHO), did) for did in chance.sample(_DID, 5)]
    turns = tuple(
        f"{who} {did} {chance.choice(_WHY)}. {chance.choice(_VERDICTS)} Ticket {chance.randrange(1000, 9999)}."
        for who, did in facts
    )
    points = [chance.choice(_SHORT).format(who=who, did=did) for who, did in facts]
    closing = " ".join(chance.sample(_OWN, 14))
    return Minutes(turns, " ".join([f"Minutes number {seed}, {closing}.", *points]))


_WORDS = """overall mostly settled calm long careful mixed cautious budget staffing quality latency hiring audit scope
risk backlog rollout tooling metrics ownership training vendor contract deadline review capacity coverage alerting
storage licence upgrade pilot draft outlook"""
_OWN = _WORDS.split()


def edited(text: str, share: float, chance: random.Random) -> str:
    """A text in which so many of the words were replaced."""
    words = text.split()
    for index in chance.sample(range(len(words)), round(share * len(words))):
        words[index] = chance.choice(_OWN)
    return " ".join(words)


def reordered(text: str, chance: random.Random) -> str:
    """A text whose sentences come in another order."""
    sentences = text.split(". ")
    chance.shuffle(sentences)
    return ". ".join(sentences)


def quoting(minutes: Minutes, chance: random.Random) -> str:
    """An honest reply that quotes a sentence of the summary, and goes on with something new."""
    said = chance.choice(minutes.summary.split(". "))
    news = meeting(chance.randrange(10**6)).turns[0]
    return f'You wrote "{said}", and I would like to come back to that. {news} Shall I open a ticket for it?'
