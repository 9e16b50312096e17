"""What `[tool.ctxlint]` says."""

from __future__ import annotations

from pathlib import Path

import pytest
from ctxlint.config import Config, FailOn, find_config, selected
from ctxlint.errors import UsageError
from ctxlint.finding import Confidence, Severity


def _write(folder: Path, text: str) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "pyproject.toml").write_text(text)
    return folder


def test_all_keys_are_read(tmp_path: Path) -> None:
    """Codes and slugs, patterns, the level and the models, which lie beside the file."""
    _write(
        tmp_path,
        '[tool.ctxlint]\nselect = ["CTX001", "summary-hierarchy"]\nexclude = ["gen/"]\n'
        'fail-on = "warning"\nmin-confidence = "high"\nmodels = ["models/own.toml"]\n',
    )
    assert find_config(tmp_path) == Config(
        select=frozenset({"CTX001", "CTX002"}),
        exclude=("gen/",),
        fail_on=FailOn.WARNING,
        min_confidence=Confidence.HIGH,
        models=(tmp_path / "models/own.toml",),
    )


def test_the_nearest_table_holds(tmp_path: Path) -> None:
    """A pyproject.toml without our table is passed by."""
    _write(tmp_path, '[tool.ctxlint]\nfail-on = "never"\n')
    inner = _write(tmp_path / "a/b", "[tool.other]\nx = 1\n")
    assert find_config(inner / "c").fail_on is FailOn.NEVER
    _write(tmp_path / "a", '[tool.ctxlint]\nfail-on = "warning"\n')
    assert find_config(inner / "c").fail_on is FailOn.WARNING


def test_a_repository_is_where_the_search_ends(tmp_path: Path) -> None:
    """What lies above a repository is none of its business."""
    _write(tmp_path, '[tool.ctxlint]\nfail-on = "never"\n')
    (tmp_path / "repo/.git").mkdir(parents=True)
    assert find_config(tmp_path / "repo") == Config()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        pytest.param("[tool.ctxlint]\nselct = []\n", "unknown key 'selct'; the keys are exclude", id="unknown-key"),
        pytest.param('[tool.ctxlint]\nselect = ["CTX999"]\n', "names 'CTX999', which is no rule", id="unknown-rule"),
        pytest.param("[tool.ctxlint]\nselect = []\n", "names no rule", id="no-rule"),
        pytest.param('[tool.ctxlint]\nselect = "CTX001"\n', "select must be a list of strings", id="no-list"),
        pytest.param("[tool.ctxlint]\nexclude = [1]\n", "exclude must be a list of strings", id="no-strings"),
        pytest.param('[tool.ctxlint]\nfail-on = "info"\n', "must be one of error, warning, never", id="level"),
        pytest.param("[tool.ctxlint]\nfail-on = []\n", "must be one of error, warning, never", id="level-type"),
        pytest.param('[tool.ctxlint]\nmin-confidence = "sure"\n', "one of low, medium, high", id="confidence"),
        pytest.param("[tool]\nctxlint = 3\n", "must be a table", id="no-table"),
        pytest.param("[tool.ctxlint\n", "cannot be read", id="no-toml"),
    ],
)
def test_a_mistake_is_named_with_its_file(tmp_path: Path, text: str, message: str) -> None:
    """The message says which file and which key."""
    _write(tmp_path, text)
    with pytest.raises(UsageError) as caught:
        find_config(tmp_path)
    assert message in str(caught.value)
    assert str(tmp_path / "pyproject.toml") in str(caught.value)


def test_a_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    """Bytes that are no UTF-8 are no TOML."""
    (tmp_path / "pyproject.toml").write_bytes(b"\xff")
    with pytest.raises(UsageError, match="cannot be read"):
        find_config(tmp_path)


def test_a_pyproject_without_tools_is_passed_by(tmp_path: Path) -> None:
    """Most projects do not configure us."""
    _write(tmp_path / "repo", "[project]\nname = 'x'\n")
    (tmp_path / "repo/.git").mkdir()
    assert find_config(tmp_path / "repo") == Config()


def test_codes_are_read_in_either_case() -> None:
    """`--select ctx001` is clear enough."""
    assert selected("ctx001, CTX002,", origin="--select") == {"CTX001", "CTX002"}


def test_what_is_always_on_may_be_selected() -> None:
    """Asking for CTX901 alone selects no rule over code."""
    assert selected("CTX901,unreadable-file", origin="--select") == set()


@pytest.mark.parametrize(
    ("level", "failing"),
    [
        pytest.param(FailOn.ERROR, {Severity.ERROR}, id="error"),
        pytest.param(FailOn.WARNING, {Severity.ERROR, Severity.WARNING}, id="warning"),
        pytest.param(FailOn.NEVER, set[Severity](), id="never"),
    ],
)
def test_a_level_fails_at_itself_and_above(level: FailOn, failing: set[Severity]) -> None:
    """Info never fails a run."""
    assert {severity for severity in Severity if level.fails(severity)} == failing
