"""Words of names and prompts."""

from __future__ import annotations

import pytest
from ctxlint.models import load_models
from ctxlint.taint.names import asks_for_summary, split


@pytest.mark.parametrize(
    ("name", "words"),
    [
        pytest.param("summarize_old_messages", ["summarize", "old", "messages"], id="snake"),
        pytest.param("ChatSummaryBuffer", ["chat", "summary", "buffer"], id="camel"),
        pytest.param("self._LLMClient", ["self", "llm", "client"], id="acronym"),
        pytest.param("parseURLs", ["parse", "urls"], id="several-acronyms"),
        pytest.param("", [], id="empty"),
    ],
)
def test_a_name_is_split_into_words(name: str, words: list[str]) -> None:
    """Underscores, dots and capitals part words."""
    assert list(split(name)) == words


@pytest.mark.parametrize(
    ("text", "asks"),
    [
        pytest.param("Summarize the chat.", True, id="command"),
        pytest.param("Summarize:\n", True, id="command-alone"),
        pytest.param("summarize", False, id="a-key"),
        pytest.param("Write a short and friendly summary.", True, id="make-noun"),
        pytest.param("Here is the summary of the report.", False, id="noun-alone"),
        pytest.param("Do not summarize the text.", False, id="denied"),
        pytest.param("Translate the text.", False, id="other"),
    ],
)
def test_a_prompt_asks_for_a_summary_or_not(text: str, asks: bool) -> None:
    """A command, or a verb of making before the noun; never the noun alone."""
    assert asks_for_summary(text, load_models().words) is asks
