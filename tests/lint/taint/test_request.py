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
