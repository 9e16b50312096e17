"""Every example runs, and prints what it is there to show."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
SHOWS = {
    "derives.py": ["a call to summarize", "P2 a rewrite reads observed spans only"],
    "own_contracts.py": ["not an ObservedSpan"],
    "compaction.py": ["rewritten into"],
    "demo/refused.py": ["P2 a rewrite reads observed spans only", "rederive"],
}


def run(*command: str | Path, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *(str(part) for part in command)],
        cwd=cwd,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, **environment},
    )


@pytest.mark.parametrize("name", sorted(SHOWS))
def test_the_example_prints_what_it_shows(name: str) -> None:
    """A reader who runs the example sees the point of it."""
    done = run(ROOT / "examples" / name)
    assert done.returncode == 0, done.stderr
    for words in SHOWS[name]:
        assert words in done.stdout


def test_every_example_is_run_here() -> None:
    """No example is left out of the tests."""
    assert {path.name for path in (ROOT / "examples").glob("*.py")} == {name for name in SHOWS if "/" not in name}


def test_the_demo_tells_the_whole_story_without_a_network(tmp_path: Path) -> None:
    """Without a network the demo lints the examples, says so, and shows everything else."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    done = run(tmp_path / "examples" / "demo" / "run.py", cwd=tmp_path, PIP_NO_INDEX="1", PIP_FIND_LINKS="")
    assert done.returncode == 0, done.stderr
    for words in (
        "no network",
        "CTX001",
        "the libcst rule on rolling_memory.py alone",
        "kill -9 after cycle 23",
        "40 cycles",
        "re-derived",
        'has incompatible type "DerivedSpan"',
        "RewritePolicyError:",
        "P2 a rewrite reads observed spans only",
    ):
        assert words in done.stdout, words
    assert len(done.stdout.splitlines()) <= 60, "the demo is to fit on one screen"
