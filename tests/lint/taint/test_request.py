"""What prompts ask for."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from ctxlint.models import load_models
from ctxlint.taint.request import Asking, asking

PROMPTS: list[dict[str, Any]] = tomllib.loads((Path(__file__).parent / "request.toml").read_text("utf-8"))["prompt"]
WORDS = load_models().words


@pytest.mark.parametrize("prompt", PROMPTS, ids=lambda prompt: prompt["id"])
def test_the_main_task_of_a_prompt_is_told(prompt: dict[str, Any]) -> None:
    """A reader of the table agrees with the judgement."""
    assert (asking(prompt["text"], WORDS) is Asking.MAINLY) is prompt["mainly"]


@pytest.mark.parametrize(
    ("before", "behind", "times", "degree"),
    [
        pytest.param(0, 100, 1, Asking.MAINLY, id="in-front"),
        pytest.param(100, 0, 1, Asking.MAINLY, id="at-the-end"),
        pytest.param(100, 100, 1, Asking.MENTIONS, id="in-the-middle"),
        pytest.param(100, 100, 60, Asking.MAINLY, id="again-and-again"),
        pytest.param(100, 100, 0, Asking.NOT, id="never"),
    ],
)
def test_the_place_of_an_order_weighs(before: int, behind: int, times: int, degree: Asking) -> None:
    """Deep inside a long prompt one order is a mention, and many are the task."""
    filler = "Look at the weather of the day. "
    text = filler * before + "Summarize the conversation. " * times + filler * behind
    assert asking(text, WORDS) is degree


def test_another_task_makes_it_a_mention() -> None:
    """A title is no rewriting of context, even where a summary helps to find it."""
    text = "Write a title for the chat. To find it, condense the conversation to one thought."
    assert asking(text, WORDS) is Asking.MENTIONS
