"""Whole runs that are looked up: the same findings, and never yesterday's."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path

import pytest
from ctxlint.check import Options, run
from ctxlint.check import search as searching
from ctxlint.config import Config
from ctxlint.finding import Confidence
from ctxlint.load.cache import framed
from ctxlint.outcome import Outcome

DRIFT = """\
from pathlib import Path


def digest(llm, pages):
    memo = ""
    for page in pages:
        memo = llm.summarize(memo + page)  # ctxlint: ignore[CTX002] nothing of the kind
    return memo


def ask(llm, turns):
    return llm.invoke(Path("prompt.md").read_text() + turns)
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A program with a finding, and a prompt file that it reads."""
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "a.py").write_text(DRIFT)
    (folder / "b.py").write_text("x = (\n")
    (folder / "prompt.md").write_text("Answer.")
    return folder


@pytest.fixture
def searches(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> list[int]:
    """How often the program was really searched, in a cache of its own."""
    monkeypatch.setenv("CTXLINT_CACHE_DIR", str(tmp_path / "cache"))
    made: list[int] = []
    real = searching.solve

    def counted(*args: object, **kwargs: object) -> object:
        made.append(1)
        return real(*args, **kwargs)  # type: ignore[arg-type]

    monkeypatch.setattr(searching, "solve", counted)
    return made


def _lint(project: Path, config: Config | None = None) -> Outcome:
    return run([project], config or Config(), options=Options(jobs=1))


def test_a_run_over_what_has_not_changed_is_looked_up(project: Path, searches: list[int]) -> None:
    """It finds the same, shows the same sources, and searches nothing."""
    first, second = _lint(project), _lint(project)
    assert len(searches) == 1
    assert [f.code for f in first.findings] == ["CTX001", "CTX900", "CTX901"]
    assert second.findings == first.findings
    assert second.texts == first.texts
    assert (second.measures.files, second.measures.sites, second.measures.lines) == (
        first.measures.files,
        first.measures.sites,
        first.measures.lines,
    )


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(lambda folder: (folder / "a.py").write_text(DRIFT + "\n"), id="source"),
        pytest.param(lambda folder: (folder / "prompt.md").write_text("Summarize."), id="prompt"),
        pytest.param(lambda folder: (folder / "c.py").write_text(""), id="new-file"),
        pytest.param(lambda folder: (folder / "b.py").unlink(), id="file-less"),
        pytest.param(lambda folder: (folder / "b.py").rename(folder / "c.py"), id="other-name"),
        pytest.param(lambda folder: (folder / "other.txt").write_text(""), id="new-prompt"),
    ],
)
def test_whatever_changes_is_searched_again(
    project: Path, searches: list[int], change: Callable[[Path], object]
) -> None:
    """Each file counts, and so does its name."""
    _lint(project)
    change(project)
    _lint(project)
    assert len(searches) == 2


def test_other_settings_are_another_run(project: Path, searches: list[int], tmp_path: Path) -> None:
    """So are models, which decide what a call means."""
    models = tmp_path / "models.toml"
    models.write_text("")
    configs = [
        Config(),
        Config(min_confidence=Confidence.HIGH),
        Config(select=frozenset({"CTX002"})),
        Config(models=(models,)),
    ]
    for config in (*configs, *configs):
        _lint(project, config)
    assert len(searches) == len(configs)


def test_another_ctxlint_searches_again(project: Path, searches: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever changes it sees what it finds now."""
    _lint(project)
    monkeypatch.setattr("ctxlint.check.remembered._own_code", lambda: "another")
    _lint(project)
    assert len(searches) == 2


@pytest.mark.parametrize(
    "entry",
    [
        pytest.param(b"", id="empty"),
        pytest.param(b"junk", id="foreign"),
        pytest.param(framed(pickle.dumps((1, 2))), id="other-layout"),
        pytest.param(framed(pickle.dumps(((), *[()] * 2, 1, 1, print))), id="planted"),
    ],
)
def test_a_damaged_or_planted_entry_is_no_entry(
    project: Path, searches: list[int], tmp_path: Path, entry: bytes
) -> None:
    """The run is made again, and nothing of the entry is run."""
    first = _lint(project)
    [path] = (tmp_path / "cache" / "runs").iterdir()
    path.write_bytes(entry)
    assert _lint(project).findings == first.findings
    assert len(searches) == 2


def test_what_is_of_the_moment_is_not_remembered(
    project: Path, searches: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that took too long may take less the next time."""

    def slow(*_args: object, **_kwargs: object) -> None:
        while True:
            pass

    options = Options(jobs=1, file_seconds=0.2)
    with monkeypatch.context() as patch:
        patch.setattr("ctxlint.load.lowering.lower_module", slow)
        run([project], Config(), options=options)
    assert [f.code for f in run([project], Config(), options=options).findings] == ["CTX001", "CTX900", "CTX901"]
    assert len(searches) == 2


def test_a_file_that_changes_meanwhile_is_not_remembered(
    project: Path, searches: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was found belongs to neither of its contents."""
    real = searching.solve

    def touched(*args: object, **kwargs: object) -> object:
        (project / "a.py").write_text("x = 1\n")
        return real(*args, **kwargs)  # type: ignore[arg-type]

    with monkeypatch.context() as patch:
        patch.setattr(searching, "solve", touched)
        _lint(project)
    (project / "a.py").write_text(DRIFT)
    assert [f.code for f in _lint(project).findings] == ["CTX001", "CTX900", "CTX901"]
    assert len(searches) == 2


def test_a_run_that_is_looked_up_needs_no_engine(project: Path, tmp_path: Path) -> None:
    """Which takes longer to import than the whole run."""
    import os
    import subprocess
    import sys

    code = (
        "import sys; from pathlib import Path\n"
        "from ctxlint.check import Options, run; from ctxlint.config import Config\n"
        f"run([Path({str(project)!r})], Config(), options=Options(jobs=1))\n"
        "print('ctxlint.taint' in sys.modules)"
    )
    environment = {**os.environ, "CTXLINT_CACHE_DIR": str(tmp_path / "other")}
    told = [
        subprocess.run(
            [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
        ).stdout
        for _ in range(2)
    ]
    assert told == ["True\n", "False\n"]
