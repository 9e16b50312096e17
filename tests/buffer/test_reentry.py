"""P13 in the buffer: a summary that comes back as an original."""

from __future__ import annotations

import random
import warnings
from pathlib import Path
from typing import Any

import pytest

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.errors import CtxContractsError, ProvenanceError, ReentryError, ReentryWarning
from ctxcontracts.spans import DerivedSpan, ObservedSpan, expose, summarizer, user_text
from tests.support.buffers import summary_of
from tests.support.minutes import edited, meeting, quoting

MINUTES = meeting(3)


@summarizer
def minute(spans: list[ObservedSpan]) -> str:
    return f"{MINUTES.summary}\n"


def with_summary(buffer: ContextBuffer) -> DerivedSpan:
    return buffer.rewrite(buffer.observe_all(map(user_text, (turn * 2 for turn in MINUTES.turns))), minute)


def test_the_whole_text_of_a_summary_warns_or_is_refused() -> None:
    """By its digest, white space at its ends apart: as the buffer was told."""
    for setting in ("warn", "refuse", "off"):
        buffer = ContextBuffer(session="s", reentry=setting)  # type: ignore[arg-type]
        text = summary_of(with_summary(buffer))
        for comes in (text, text.strip(), f"  {text}"):
            before = len(buffer)
            if setting == "refuse":
                for observe in (buffer.observe, lambda text, into=buffer: into.observe_all([text])):
                    with pytest.raises(ReentryError, match="text 0 is the whole text of s:d1"):
                        observe(user_text(comes))  # type: ignore[operator]
                assert len(buffer) == before
            elif setting == "warn":
                with pytest.warns(ReentryWarning, match="the whole text of s:d1") as warned:
                    buffer.observe(user_text(comes))
                assert len(warned) == 1
            else:
                buffer.observe(user_text(comes))


@pytest.mark.parametrize("setting", ["warn", "refuse"])
def test_much_of_a_summary_warns_whatever_the_setting(setting: Any) -> None:
    """Which span, and how much of it; never its text."""
    buffer = ContextBuffer(session="s", reentry=setting)
    with_summary(buffer)
    text = edited(MINUTES.summary, 0.1, random.Random(1))
    with pytest.warns(ReentryWarning, match=r"holds \d+ runs of 5 words of s:d1, \d+% of the text") as warned:
        buffer.observe(user_text(text))
    assert warned[0].filename == __file__ or "icontract" in warned[0].filename
    assert "sprint" not in str(warned[0].message)


def test_honest_replies_are_never_refused() -> None:
    """They may quote the summary; some warn."""
    buffer = ContextBuffer(session="s", reentry="refuse")
    with_summary(buffer)
    chance = random.Random(5)
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        for _ in range(60):
            buffer.observe(user_text(quoting(MINUTES, chance)))
    assert len(buffer) == 61
    assert 0 < len(warned) <= 60
    assert all(one.category is ReentryWarning for one in warned)


def test_its_own_sources_and_new_texts_pass_in_silence() -> None:
    """What the summary took from them is no sign of it."""
    buffer = ContextBuffer()
    with_summary(buffer)
    for turn in (*MINUTES.turns, *meeting(4).turns, "Yes."):
        buffer.observe(user_text(turn))


def test_the_mark_is_refused_by_the_doors() -> None:
    """Whatever the setting."""
    buffer = ContextBuffer(reentry="off")
    with_summary(buffer)
    with pytest.raises(ProvenanceError):
        user_text(str(buffer.render()[0]["content"]))
    with pytest.raises(ProvenanceError):
        user_text(expose(buffer.spans[0].text))  # type: ignore[call-overload, arg-type]


def test_it_is_heard_after_opening_again_and_when_it_has_left(tmp_path: Path) -> None:
    """The journal keeps what is heard of a summary; `forget` takes it away."""
    path = tmp_path / "store.db"
    with ContextBuffer.open(path, "s", reentry="refuse") as buffer:
        made = with_summary(buffer)
        buffer.prune(made)
        text = summary_of(made).strip()
    with ContextBuffer.open(path, "s", reentry="refuse") as buffer:
        with pytest.raises(ReentryError):
            buffer.observe(user_text(text))
        with pytest.warns(ReentryWarning):
            buffer.observe(user_text(f"Earlier: {text}"))
        buffer.forget(made.sources[0], reason="asked for")
        buffer.observe_all([user_text(text), user_text(f"Again: {text}")])


def test_a_setting_is_one_of_three(tmp_path: Path) -> None:
    """A wrong name is told at once."""
    with pytest.raises(CtxContractsError, match='"off", "warn" or "refuse"'):
        ContextBuffer(reentry="loud")  # type: ignore[arg-type]
    messages = [{"role": "user", "content": "hello"}]
    assert len(ContextBuffer.from_messages(messages, reentry="off")) == 1
