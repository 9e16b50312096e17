"""The models that ship, and what a project may add to them."""

from __future__ import annotations

from pathlib import Path

import pytest
from ctxlint.errors import UsageError
from ctxlint.models import load_models


def test_the_shipped_models_load() -> None:
    """Every table is there and no entry is empty."""
    models = load_models()
    assert models.by_function["litellm.completion"].about == "LiteLLM"
    assert all(entry.methods or entry.functions for entry in models.llm)
    assert models.words.verbs
    assert models.flow.keep


def test_a_project_adds_its_own(tmp_path: Path) -> None:
    """Entries come on top and lists are joined."""
    extra = tmp_path / "mine.toml"
    extra.write_text(
        'verbs = ["boil"]\n[[llm]]\nabout = "ours"\nmethods = ["tell"]\nwords = ["oracle"]\n'
        '[[calls]]\nname = "later"\nfunction = 1\n[markers]\ndecorators = ["boils"]\nmodules = ["ours"]\n'
    )
    models = load_models([extra])
    assert "boil" in models.words.verbs
    assert "summarize" in models.words.verbs
    assert [entry.about for entry in models.by_method["tell"]] == ["ours"]
    assert models.flow.calls["later"].function == 1
    assert "boils" in models.flow.marker_decorators


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("verbs = 1", "list of strings", id="no-list"),
        pytest.param("verbs = [1]", "list of strings", id="no-string"),
        pytest.param("nothing = []", "no model table", id="unknown-table"),
        pytest.param("[markers]\nnames = []", "has no", id="unknown-field"),
        pytest.param("[[llm]]\nmethods = ['x']", "needs functions", id="entry-matches-all"),
        pytest.param("[[llm]]\nmethod = ['x']", "has no 'method'", id="unknown-llm-field"),
        pytest.param("llm = 3", "entries", id="no-entries"),
        pytest.param("[[calls]]\nname = 'x'", "function's position", id="no-position"),
        pytest.param("x = ", "not valid TOML", id="no-toml"),
    ],
)
def test_a_wrong_model_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    """The error names the file and what would be right."""
    extra = tmp_path / "mine.toml"
    extra.write_text(text)
    with pytest.raises(UsageError, match=message) as caught:
        load_models([extra])
    assert "mine.toml" in str(caught.value)


@pytest.mark.parametrize("content", [pytest.param(None, id="absent"), pytest.param(b"\xff", id="no-utf-8")])
def test_a_model_file_that_cannot_be_read_is_refused(tmp_path: Path, content: bytes | None) -> None:
    """A typing error in a path must not go unnoticed."""
    extra = tmp_path / "mine.toml"
    if content is not None:
        extra.write_bytes(content)
    with pytest.raises(UsageError, match="cannot be read"):
        load_models([extra])
