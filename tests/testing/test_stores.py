"""The suite itself: it fails on a store that breaks a promise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

_BROKEN = {
    "forgets texts": "def fetch(self, source): raise OriginalMissingError(source)",
    "ignores what was expected": """def append(self, session, entries, *, expected):
            return super().append(session, entries, expected=len(self._journals.get(session, [])))""",
    "loses an entry": "def journal(self, session, *, after=0): return iter(list(super().journal(session))[:-1])",
    "says nothing is wrong": "def verify(self): return ()",
    "stays open": "def close(self): pass",
}


@pytest.mark.parametrize("body", _BROKEN.values(), ids=_BROKEN)
def test_a_broken_store_fails(tmp_path: Path, body: str) -> None:
    """One promise is broken, and the suite is red."""
    (tmp_path / "test_broken.py").write_text(f"""
import pytest
from ctxcontracts.coldstore.memory import MemoryStore
from ctxcontracts.errors import OriginalMissingError
from ctxcontracts.testing.stores import ColdStoreSuite

class Broken(MemoryStore):
    {body}

class TestBroken(ColdStoreSuite):
    @pytest.fixture
    def make_store(self):
        return Broken
""")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "."],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ},
    )
    assert done.returncode == 1, done.stdout + done.stderr
    assert "FAILED" in done.stdout


def test_a_suite_without_a_store_says_what_is_missing(tmp_path: Path) -> None:
    """The fixture has to be overridden."""
    (tmp_path / "test_none.py").write_text(
        "from ctxcontracts.testing.stores import ColdStoreSuite\nclass TestNone(ColdStoreSuite): pass\n"
    )
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-x", "."]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert "override the fixture make_store" in done.stdout
