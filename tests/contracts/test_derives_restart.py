"""`@derives` over a cold store: a text is known again by another process."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ctxcontracts import MemoryStore, SQLiteStore, derives
from ctxcontracts.errors import ClosedStoreError, DerivedAgainError

TEXT = "The user asks why the build was red; the disk was full."

FIRST = f"""
import os, sys
from ctxcontracts import SQLiteStore, derives

@derives(store=SQLiteStore(sys.argv[1]), mark=False)
def summarize(messages: list[str]) -> str:
    return {TEXT!r}

summarize(["Why was the build red?"])
os._exit(9)  # no clean-up of any kind
"""


def test_a_text_is_known_after_the_process_was_killed(tmp_path: Path) -> None:
    """It was durable when the call returned, and the error names the call of the process that is gone."""
    path = tmp_path / "agent.db"
    done = subprocess.run([sys.executable, "-c", FIRST, path], env={**os.environ}, capture_output=True, check=False)
    assert done.returncode == 9, done.stderr
    with SQLiteStore(path) as store:
        again = derives(store=store)(lambda messages: "another summary of the whole thing")
        assert again(["Why was the build red?"])
        with pytest.raises(DerivedAgainError, match="a call to summarize derived at") as caught:
            again(["What now?", TEXT])
    assert caught.value.earlier_function == "summarize"


def test_a_store_that_fails_lets_no_summary_out() -> None:
    """A text that could not be registered could not be known again."""
    store = MemoryStore()
    summarize = derives(store=store)(lambda messages: TEXT)
    assert summarize(["hi"])
    store.close()
    with pytest.raises(ClosedStoreError):
        summarize(["hi"])
