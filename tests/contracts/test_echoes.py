"""How well derived text is heard when it comes back, on minutes of meetings that were written for this."""

from __future__ import annotations

import random
from collections.abc import Callable

import pytest

from ctxcontracts.contracts.echoes import REMEMBERED, Echoes, runs_of
from tests.support.minutes import Minutes, edited, meeting, quoting, reordered

MEETINGS = range(120)


def heard(change: Callable[[Minutes, random.Random], str]) -> float:
    """The share of meetings in which a changed text is heard as their summary."""
    chance = random.Random(7)
    found = 0
    for seed in MEETINGS:
        minutes = meeting(seed)
        echoes = Echoes()
        echoes.add("s:d1", runs_of(minutes.summary, without=minutes.turns))
        found += echoes.heard(change(minutes, chance)) is not None
    return found / len(MEETINGS)


@pytest.mark.parametrize(
    ("share", "least"), [(0.0, 1.0), (0.1, 0.98), (0.2, 0.95), (0.3, 0.75)], ids=["verbatim", "10 %", "20 %", "30 %"]
)
@pytest.mark.parametrize("order", ["kept", "changed"])
def test_an_edited_summary_is_heard(share: float, least: float, order: str) -> None:
    """Verbatim always, and mostly while the edits leave runs of five words."""

    def change(minutes: Minutes, chance: random.Random) -> str:
        text = reordered(minutes.summary, chance) if order == "changed" else minutes.summary
        return edited(text, share, chance)

    assert heard(change) >= least


def test_its_own_sources_are_no_echo() -> None:
    """They come back with every turn of the window, also where the summary quotes them."""
    assert heard(lambda minutes, _: " ".join(minutes.turns)) == 0
    for seed in MEETINGS:
        turns = meeting(seed).turns
        assert runs_of(turns[0], without=turns) == b""


def test_other_meetings_are_no_echo() -> None:
    """The same words in another order say nothing."""
    assert heard(lambda minutes, chance: meeting(chance.randrange(1000, 10**6)).turns[0]) == 0


def test_a_quotation_is_heard_and_that_is_why_it_only_warns() -> None:
    """An honest reply cannot be told from a summary that comes back in part."""
    assert 0.3 < heard(quoting) <= 1


def test_an_echo_says_of_what_and_how_much() -> None:
    """The derived span, the number of runs, and their share of the text."""
    minutes = meeting(1)
    echoes = Echoes()
    echoes.add("s:d1", runs_of(minutes.summary, without=minutes.turns))
    echoes.add("s:d2", runs_of(meeting(2).summary, without=meeting(2).turns))
    echo = echoes.heard(minutes.summary)
    assert echo is not None
    assert (echo.derived_id, echo.runs > 20, echo.share > 0.5) == ("s:d1", True, True)
    assert str(echo).startswith(f"{echo.runs} runs of 5 words of s:d1, ")
    echoes.discard("s:d1")
    echoes.discard("s:d1")
    echoes.discard("s:d2")  # it has a few phrases in common with the first
    assert echoes.heard(minutes.summary) is None
    assert echoes.heard("") is None


def test_few_runs_are_a_sign_in_a_short_text_only() -> None:
    """Three of them: a sentence that was lifted, or chance in a long report."""
    echoes = Echoes()
    echoes.add("s:d1", runs_of("one two three four five six seven", without=[]))
    assert echoes.heard("One two, three four five six seven!") is not None
    assert echoes.heard("one two three four five six") is None
    assert echoes.heard("one two three four five six seven " + " ".join(map(str, range(100)))) is None


def test_only_the_latest_are_remembered() -> None:
    """A session without end costs no memory without end; a run that two share stays as long as one of them."""
    echoes = Echoes()
    for number in range(REMEMBERED + 3):
        echoes.add(f"s:d{number}", runs_of(f"a b c d e f g h i j k l number {number} m n o p q r s", without=[]))
    assert len(echoes._of) == REMEMBERED
    assert echoes.heard("a b c d e f g h i j k l") is not None
    assert echoes.heard("k l number 1 m n o p q r s t") is not None
