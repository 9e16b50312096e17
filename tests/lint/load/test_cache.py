"""The cache of IR: quick, never stale, and no way in for somebody else's code."""

from __future__ import annotations

import hashlib
import os
import pickle
import shutil
import threading
from dataclasses import replace
from pathlib import Path

import pytest
from ctxlint.check import Options, run
from ctxlint.config import Config
from ctxlint.load import cache
from ctxlint.load.cache import FolderCache, NoCache, cache_folder, dump, key_of, open_cache, restore
from ctxlint.load.lowering import lowered
from ctxlint.outcome import Outcome

from tests.support.unprivileged import WARM_IMPORTS, open_folder, output_unprivileged

SOURCE = """\
import functools

CONSTANTS = (..., 1j, 1.5, b"x", None, True, 10**40, "\\ud800", frozenset({1}), -1)


class Memory:
    notes: str = ""

    def fold(self, llm, pages, *rest, **options):
        for page in pages:
            if isinstance(page, str) and page.get("kind") == "note":
                self.notes = llm.summarize(f"{self.notes} {page}")
        return functools.partial(self.fold, llm), {"notes": self.notes}
"""
CACHED = Options(jobs=1)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache folder that runs use."""
    path = tmp_path / "cache"
    monkeypatch.setenv("CTXLINT_CACHE_DIR", str(path))
    return path


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project of one file with one finding."""
    path = tmp_path / "project"
    path.mkdir()
    (path / "a.py").write_text(SOURCE)
    return path


def _lint(project: Path) -> Outcome:
    return run([project], Config(), options=CACHED)


def test_an_entry_restores_the_same_module() -> None:
    """IR comes out of the cache as it went in."""
    module = lowered(SOURCE.encode(), "a.py")
    assert restore(dump(module)) == module


@pytest.mark.parametrize("value", [..., 1j, 2**80, b"x", "\ud800", None, True, 1.5, frozenset({1})], ids=repr)
def test_every_constant_of_python_can_be_kept(value: object) -> None:
    """A constant in somebody's code is no reason to lower the file again and again."""
    module = lowered(SOURCE.encode(), "a.py")
    function = replace(module.functions[0], ops=((2, value),))
    kept = replace(module, functions=(function,))
    assert restore(dump(kept)) == kept


def test_ir_that_cannot_be_written_is_not_kept(tmp_path: Path) -> None:
    """A value that no pickle takes leaves no entry behind."""
    module = lowered(b"x = 1", "a.py")
    module = replace(module, functions=(replace(module.functions[0], ops=((2, threading.Lock()),)),))
    assert dump(module) == b""
    FolderCache(tmp_path / "cache").store("ab" * 32, dump(module))
    assert not (tmp_path / "cache").exists()


def test_a_second_run_reads_the_cache_and_finds_the_same(folder: Path, project: Path) -> None:
    """Warm and cold runs differ in nothing but time."""
    cold, warm = _lint(project), _lint(project)
    assert (cold.measures.cached, warm.measures.cached) == (0, 1)
    assert cold.findings == warm.findings
    assert len(cold.findings) == 1
    assert folder.is_dir()


def test_changed_content_is_lowered_again(folder: Path, project: Path) -> None:
    """An entry belongs to its content, not to its file's name or date."""
    _lint(project)
    before = (project / "a.py").stat()
    (project / "a.py").write_text(SOURCE.replace("llm.summarize", "llm.translate"))
    os.utime(project / "a.py", ns=(before.st_atime_ns, before.st_mtime_ns))
    outcome = _lint(project)
    assert outcome.measures.cached == 0
    assert outcome.findings == ()


@pytest.mark.parametrize("name", ["__version__", "IR_VERSION"])
def test_another_version_has_other_keys(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """An upgrade never reads what an older ctxlint wrote."""
    before = key_of(b"x", "a.py")
    monkeypatch.setattr(cache, name, "other")
    assert key_of(b"x", "a.py") != before


def _damage(entry: bytes) -> list[bytes]:
    flipped = bytearray(entry)
    flipped[len(entry) // 2] ^= 1
    return [b"", entry[:20], entry[:-1], entry + b"x", bytes(flipped), b"not ours" + entry, pickle.dumps("text")]


@pytest.mark.parametrize("kind", range(7), ids=["empty", "header", "short", "long", "flipped", "foreign", "bare"])
def test_a_damaged_entry_is_made_again(folder: Path, project: Path, kind: int) -> None:
    """A broken cache costs time, nothing else."""
    good = _lint(project)
    shutil.rmtree(folder / "runs")  # else the whole run would be looked up
    [entry] = (path for path in folder.rglob("*") if path.is_file())
    whole = entry.read_bytes()
    entry.write_bytes(_damage(whole)[kind])
    again = _lint(project)
    assert again.findings == good.findings
    assert again.measures.cached == 0
    assert entry.read_bytes() == whole


class _Attack:
    """What an attacker plants: a pickle that runs a command when it is read."""

    def __init__(self, marker: Path) -> None:
        self.marker = marker

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return os.system, (f"touch {self.marker}",)


def _entry(value: object) -> bytes:
    payload = pickle.dumps(value)
    return b"ctxlint-ir\n" + hashlib.sha256(payload).digest() + payload


def test_a_planted_entry_runs_nothing(tmp_path: Path) -> None:
    """Whoever can write into the cache folder still cannot run code through it."""
    assert restore(_entry(_Attack(tmp_path / "owned"))) is None
    assert not (tmp_path / "owned").exists()


@pytest.mark.parametrize(
    "name",
    [
        pytest.param(("ctxlint.load.cache", "cache_folder"), id="our-own-function"),
        pytest.param(("ctxlint.ir", "lower_module"), id="function-of-the-ir"),
        pytest.param(("ctxlint.ir.module", "dataclass"), id="imported-into-the-ir"),
        pytest.param(("builtins", "getattr"), id="builtin"),
        pytest.param(("ctxlint.irx", "ModuleIR"), id="similar-name"),
    ],
)
def test_only_ir_classes_can_be_built(name: tuple[str, str]) -> None:
    """The unpickler admits data classes and nothing that does anything."""
    module, attribute = name
    payload = f"c{module}\n{attribute}\n.".encode()
    assert restore(b"ctxlint-ir\n" + hashlib.sha256(payload).digest() + payload) is None


def test_an_entry_that_is_no_module_is_refused() -> None:
    """A whole pickle of something else is not believed."""
    assert restore(_entry({"path": "a.py"})) is None


def test_a_cache_that_cannot_be_written_is_silently_off(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A read-only home folder is no reason to fail."""
    monkeypatch.setenv("CTXLINT_CACHE_DIR", str(project / "a.py" / "cache"))
    assert len(_lint(project).findings) == 1


def test_a_cache_without_permission_is_silently_off() -> None:
    """An unprivileged user with somebody else's cache folder still gets the findings."""
    with open_folder() as home:
        (home / "a.py").write_text(SOURCE)
        (home / "cache").mkdir(mode=0o755)
        told = output_unprivileged(
            WARM_IMPORTS,
            f"import os; os.environ['CTXLINT_CACHE_DIR'] = {str(home / 'cache')!r}\n"
            f"print(len(run([Path({str(home)!r})], Config(), options=Options(jobs=1)).findings))",
        )
        assert not any((home / "cache").iterdir())
    assert told == "1"


def test_writing_stops_after_the_first_failure(tmp_path: Path) -> None:
    """A full disk is not tried again for every file."""
    (tmp_path / "cache").write_text("a file where the folder should be")
    store = FolderCache(tmp_path / "cache")
    store.store("ab" * 32, b"x")
    (tmp_path / "cache").unlink()
    store.store("ab" * 32, b"x")
    assert not (tmp_path / "cache").exists()


def test_the_cache_folder_is_closed_to_others(folder: Path, project: Path) -> None:
    """Code is private: so is what is made of it."""
    _lint(project)
    assert all(path.stat().st_mode & 0o077 == 0 for path in folder.rglob("*"))


def test_no_cache_keeps_nothing(folder: Path, project: Path) -> None:
    """`--no-cache` neither reads nor writes."""
    run([project], Config(), options=Options(jobs=1, cache=False))
    assert not folder.exists()
    store = NoCache()
    store.store("k", b"x")
    assert store.load("k") is None


@pytest.mark.parametrize(
    ("variables", "expected"),
    [
        pytest.param({"CTXLINT_CACHE_DIR": "/c"}, "/c", id="named"),
        pytest.param({"XDG_CACHE_HOME": "/x"}, "/x/ctxlint", id="xdg"),
        pytest.param({"XDG_CACHE_HOME": "relative", "HOME": "/h"}, "/h/.cache/ctxlint", id="xdg-must-be-absolute"),
        pytest.param({"HOME": "/h"}, "/h/.cache/ctxlint", id="home"),
        pytest.param({"CTXLINT_CACHE_DIR": "/c", "XDG_CACHE_HOME": "/x"}, "/c", id="named-wins"),
    ],
)
def test_the_cache_lies_where_the_environment_says(
    monkeypatch: pytest.MonkeyPatch, variables: dict[str, str], expected: str
) -> None:
    """The usual variables hold, ours first."""
    for name in ("CTXLINT_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert cache_folder() == Path(expected)


def test_without_a_home_there_is_no_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    """A user without a home folder lints without a cache."""

    def homeless() -> Path:
        raise RuntimeError

    for name in ("CTXLINT_CACHE_DIR", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(Path, "home", homeless)
    assert isinstance(open_cache(enabled=True), NoCache)
