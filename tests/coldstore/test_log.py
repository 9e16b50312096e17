"""Frames behind a bad checksum: operations that were acknowledged, and that SQLite would pass over in silence."""

from __future__ import annotations

import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from ctxcontracts.coldstore import SQLiteStore, sqlite_log
from ctxcontracts.coldstore.sqlite_log import lost_operations
from ctxcontracts.spans.provenance import SourceId
from ctxcontracts.testing.stores import original

OPERATIONS = 6


@pytest.fixture
def crashed(tmp_path: Path) -> Path:
    """A store whose process ended with six operations in the log."""
    with SQLiteStore(tmp_path / "live.db") as store:
        for number in range(OPERATIONS):
            store.append("s", [original(SourceId(f"s:o{number}"), f"{number}" * 50)], expected=number)
        shutil.copy(tmp_path / "live.db", tmp_path / "store.db")
        shutil.copy(tmp_path / "live.db-wal", tmp_path / "store.db-wal")
    return tmp_path / "store.db"


def log_of(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def flip(path: Path, at: int) -> None:
    content = bytearray(path.read_bytes())
    content[at] ^= 1
    path.write_bytes(content)


def ends(path: Path) -> list[int]:
    """Where the frames begin that end a transaction."""
    return [32 + (number - 1) * 4120 for number in sqlite_log._ends(log_of(path))[1]]


def test_a_whole_log_is_sound(crashed: Path) -> None:
    """After a crash everything is there, and nothing is reported."""
    with SQLiteStore(crashed) as store:
        assert store.verify() == ()
        assert len(list(store.journal("s"))) == OPERATIONS


@pytest.mark.parametrize("operation", range(1, OPERATIONS))
def test_operations_behind_a_damaged_frame_are_named(crashed: Path, operation: int) -> None:
    """`verify` says how many were lost, also after the next write has covered them."""
    flip(log_of(crashed), ends(crashed)[operation] + 24 + 100)
    with SQLiteStore(crashed) as store:
        held = len(list(store.journal("s")))
        assert held < OPERATIONS
        store.append("t", [original(SourceId("t:o1"))], expected=0)
        (damage,) = store.verify()
        assert damage.where == "the log"
        assert damage.what.startswith(f"{OPERATIONS - held} operations lie behind")


def test_a_log_that_was_cut_cannot_be_told_from_a_crash(crashed: Path) -> None:
    """What the documentation says: the end of a log has no witness."""
    log = log_of(crashed)
    log.write_bytes(log.read_bytes()[: ends(crashed)[-1]])
    with SQLiteStore(crashed) as store:
        assert store.verify() == ()
        assert len(list(store.journal("s"))) == OPERATIONS - 1


@pytest.mark.parametrize("content", [b"", b"short", bytes(64), b"\xff" * 64], ids=["empty", "short", "zeros", "ones"])
def test_a_log_that_is_none_holds_nothing(tmp_path: Path, content: bytes) -> None:
    """SQLite begins a new one."""
    SQLiteStore(tmp_path / "store.db").close()
    log_of(tmp_path / "store.db").write_bytes(content)
    with SQLiteStore(tmp_path / "store.db") as store:
        assert store.verify() == ()


def test_a_log_that_is_begun_anew_meanwhile_is_not_judged(crashed: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process checkpointed between two looks."""
    look, salts = sqlite_log._ends, iter([b"one", b"two"])
    monkeypatch.setattr(sqlite_log, "_ends", lambda log: (next(salts), [*look(log)[1], 10_000]))
    connection = sqlite3.connect(crashed)
    assert lost_operations(connection, crashed) == 0
    connection.close()


def test_a_log_whose_end_nobody_tells_is_not_judged(crashed: Path) -> None:
    """No damage is made up: a full disk cannot be asked, nor a log that another process is writing back."""

    class Silent:
        def execute(self, _: str) -> sqlite3.Cursor:
            raise sqlite3.OperationalError("database or disk is full")

    assert lost_operations(Silent(), crashed) == 0  # type: ignore[arg-type]


def test_opening_touches_no_lock_of_another_connection(tmp_path: Path) -> None:
    """SQLite's locks end with any closing of its files in the process: then others cut the log's index off."""
    path = tmp_path / "store.db"
    with SQLiteStore(path) as store, SQLiteStore(path):
        store.append("s", [original(SourceId("s:o1"))], expected=0)
        code = f"from ctxcontracts.coldstore import SQLiteStore\nSQLiteStore({str(path)!r}).close()"
        size = path.with_name("store.db-shm").stat().st_size
        subprocess.run([sys.executable, "-c", code], check=True)
        assert path.with_name("store.db-shm").stat().st_size == size
        store.append("s", [original(SourceId("s:o2"), "two")], expected=1)


def test_closing_writes_the_log_into_the_file(tmp_path: Path) -> None:
    """Also where another connection keeps the log alive."""
    path = tmp_path / "store.db"
    with SQLiteStore(path) as other:
        with SQLiteStore(path) as store:
            store.append("s", [original(SourceId("s:o1"), "a text to be found")], expected=0)
        assert b"a text to be found" in path.read_bytes()
        assert other.fetch(SourceId("s:o1")).text == "a text to be found"
