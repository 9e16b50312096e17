"""Prompt files and tables by name and key."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import pytest
from ctxlint.taint.textfiles import PromptFiles

TEXTS = {
    "app/prompts/fold.md": "Condense the chat.",
    "app/other/prompts/fold.md": "Another one.",
    "app/notes.txt": "Notes of a developer.",
    "app/papers/study.txt": "A study.",
    "app/prompts/agent.yaml": (
        'version: 3\nask: "Answer the question."\n# a comment\nfold_turn: |\n  Merge the turn\n  into the notes.\n'
        "greeting_system:\n  en: Say hello kindly.\n  de: Sage freundlich hallo.\nlist: [a, b]\n"
    ),
    "app/locales/en.json": '{"agents": {"fold_system": "Condense the story.", "lines": ["Be short.", "Be kind."]}}',
    "app/locales/de.json": '{"agents": {"fold_system": "Fasse die Geschichte kurz."}}',
    "app/prompts/one.toml": 'text = "Condense the page."\n',
    "app/prompts/broken.json": "{",
    "data/rows.json": '{"row_key": "A row of data, and no prompt."}',
}


class Counting(Mapping[str, str]):
    """The texts, and how many were read."""

    def __init__(self) -> None:
        self.read: list[str] = []

    def __getitem__(self, path: str) -> str:
        self.read.append(path)
        return TEXTS[path]

    def __iter__(self) -> Iterator[str]:
        return iter(TEXTS)

    def __len__(self) -> int:
        return len(TEXTS)


@pytest.mark.parametrize(
    ("name", "near", "path"),
    [
        pytest.param("fold.md", "app/main.py", "app/prompts/fold.md", id="nearest"),
        pytest.param("./prompts/fold.md", "app/other/main.py", "app/other/prompts/fold.md", id="folder-and-name"),
        pytest.param("fold", "app/main.py", "app/prompts/fold.md", id="stem-among-prompts"),
        pytest.param("notes", "app/main.py", "app/notes.txt", id="stem-beside-the-module"),
        pytest.param("study", "app/main.py", "", id="stem-elsewhere"),
        pytest.param("study.txt", "app/main.py", "app/papers/study.txt", id="whole-name-elsewhere"),
        pytest.param("prompts/study", "app/main.py", "", id="stem-of-another-folder"),
        pytest.param("Condense the chat.", "app/main.py", "", id="a-sentence"),
        pytest.param("one.toml", "app/main.py", "app/prompts/one.toml", id="a-table-of-one-text"),
        pytest.param("broken.json", "app/main.py", "", id="a-table-that-cannot-be-read"),
    ],
)
def test_a_constant_names_a_file(name: str, near: str, path: str) -> None:
    """A whole name finds the nearest file; a name without suffix only one among prompts, or beside the code."""
    assert [kept.path for kept in PromptFiles(TEXTS).named(name, near)] == ([path] if path else [])


@pytest.mark.parametrize(
    ("key", "texts"),
    [
        pytest.param("fold_turn", ["Merge the turn\ninto the notes."], id="yaml-block"),
        pytest.param("greeting_system", ["Say hello kindly.", "Sage freundlich hallo."], id="yaml-languages"),
        pytest.param("fold_system", ["Condense the story."], id="english-first"),
        pytest.param("agents.fold_system", ["Condense the story."], id="dotted"),
        pytest.param("ask", [], id="a-word-that-may-be-anything"),
        pytest.param("row_key", [], id="a-table-of-data"),
        pytest.param("no_such_key", [], id="unknown"),
        pytest.param("two words", [], id="no-key"),
    ],
)
def test_a_key_finds_its_text(key: str, texts: list[str]) -> None:
    """Tables that lie among prompts are read; what has a few languages is one thing."""
    assert [text.strip() for text in PromptFiles(TEXTS).keyed(key, "app/main.py")] == texts


def test_a_table_beside_the_code_counts() -> None:
    """Its folder need not be called after prompts."""
    assert list(PromptFiles(TEXTS).keyed("row_key", "data/main.py")) == ["A row of data, and no prompt."]


def test_nothing_is_read_before_it_is_named() -> None:
    """A run that names no file reads none, and one that names a file reads that one."""
    counting = Counting()
    files = PromptFiles(counting)
    assert list(files.named("no_such.md", "app/main.py")) == []
    assert counting.read == []
    assert [kept.text for kept in files.named("fold.md", "app/main.py")] == ["Condense the chat."]
    assert set(counting.read) == {"app/prompts/fold.md"}


def test_a_run_without_texts_finds_nothing() -> None:
    """The linter rule over one module has none."""
    files = PromptFiles({})
    assert list(files.named("fold.md", "main.py")) == []
    assert list(files.keyed("fold_system", "main.py")) == []
    assert not files.speak(("condens",))


def test_prompts_may_speak_where_code_does_not() -> None:
    """The word may stand in a prompt file alone."""
    assert PromptFiles(TEXTS).speak(("condens",))
    assert not PromptFiles({"data/rows.json": "condense"}).speak(("condens",))
