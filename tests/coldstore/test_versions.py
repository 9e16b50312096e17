"""Files of every schema version that there was."""

from __future__ import annotations

import shutil
import sqlite3
from pathlib import Path

import pytest

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.coldstore import SQLiteStore, sqlite_migration, sqlite_schema
from ctxcontracts.coldstore.sqlite_schema import SCHEMA_VERSION
from ctxcontracts.errors import ColdStoreError, StoreVersionError
from ctxcontracts.spans import user_text
from tests.support.small_store import answers

STORES = Path(__file__).with_name("stores")
VERSIONS = range(1, SCHEMA_VERSION + 1)


@pytest.fixture
def path(tmp_path: Path, version: int) -> Path:
    return Path(shutil.copy(STORES / f"schema-{version}.db", tmp_path / "store.db"))


@pytest.mark.parametrize("version", VERSIONS)
def test_a_store_of_each_version_is_read_and_written(path: Path, version: int) -> None:
    """The same six turns, two summaries, one re-derivation and one prune were written by each version."""
    with ContextBuffer.open(path, "s") as buffer:
        assert [span.id for span in buffer.spans] == ["s:d3", "s:o6", "s:o7"]
        assert buffer.verify().ok
        assert buffer.original(buffer.spans[0].sources[0]).text.startswith("turn 1: and so")  # type: ignore[union-attr]
        assert buffer.spans[-1].text == "The agent's own turn. Zoë \N{SNOWMAN}"
        buffer.observe(user_text("and it goes on"))
        assert buffer.store.verify() == ()
        call = buffer.store.by_id("5f0c000000000001")
        assert call is not None
        assert (call.function, buffer.store.find(call.digest)) == ("summarize", call)
    with SQLiteStore(path) as store:
        said = answers(store)
        assert said["sessions"] == ("s", "empty-ish")
    kept = sqlite3.connect(path)
    assert kept.execute("PRAGMA user_version").fetchone() == (SCHEMA_VERSION,)
    kept.close()


@pytest.mark.parametrize("version", [1])
def test_a_failed_migration_leaves_the_old_file(path: Path, version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """All of it, or none."""

    def failing(*_: object) -> bytes:
        raise sqlite3.OperationalError("the disk went away")

    with monkeypatch.context() as patched:
        patched.setattr(sqlite_migration, "sealed_call", failing)
        with pytest.raises(ColdStoreError, match="the disk went away"):
            SQLiteStore(path)
    kept = sqlite3.connect(path)
    assert kept.execute("PRAGMA user_version").fetchone() == (1,)
    kept.close()
    SQLiteStore(path).close()


@pytest.mark.parametrize("version", [1])
def test_whoever_is_second_to_migrate_does_nothing(path: Path, version: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process brought the file up between the look and the lock."""
    switch = sqlite_schema._use_write_ahead_log

    def slow(connection: sqlite3.Connection, where: Path) -> None:
        switch(connection, where)
        monkeypatch.setattr(sqlite_schema, "_use_write_ahead_log", switch)
        SQLiteStore(where).close()

    monkeypatch.setattr(sqlite_schema, "_use_write_ahead_log", slow)
    with SQLiteStore(path) as store:
        assert store.verify() == ()


@pytest.mark.parametrize("version", [1])
def test_a_version_that_nobody_wrote_is_refused(path: Path, version: int) -> None:
    """A damaged number is not taken for an old one."""
    kept = sqlite3.connect(path)
    kept.execute("PRAGMA user_version = 0")
    kept.close()
    with pytest.raises(StoreVersionError, match="no version of ctxcontracts wrote"):
        SQLiteStore(path)
