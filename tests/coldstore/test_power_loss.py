"""What was acknowledged is there after a power loss at any moment, and nothing else is torn."""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

import pytest

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.coldstore import SQLiteStore, sqlite_schema
from ctxcontracts.coldstore.forms import Forms
from ctxcontracts.errors import ColdStoreError, CtxContractsError
from ctxcontracts.spans import user_text
from tests.support.buffers import WORDS, shrink
from tests.support.power_loss import Disk, Recorder, library

pytestmark = pytest.mark.skipif(library() is None, reason="this Python has a SQLite of its own inside")

SECONDS = 4.0
"""How long cuts are tried. They are drawn anew at each run."""


def recorded(path: Path) -> Recorder:
    """A session at work: it observes, rewrites and prunes, says what is done, checkpoints, closes and opens again."""
    recorder = Recorder()
    with recorder.recording():
        for _ in range(2):
            with ContextBuffer.open(path, "s") as buffer:
                connection = buffer.store._writer.connection  # type: ignore[attr-defined]
                connection.execute("PRAGMA wal_autocheckpoint = 12")
                for number in range(8):
                    spans = [buffer.observe(user_text(f"{number} {WORDS}")) for _ in range(2)]
                    recorder.acknowledged(spans[1].id)
                    recorder.acknowledged(buffer.rewrite(spans, shrink).id)
                    if number % 3 == 0:
                        buffer.prune(buffer.spans[0])
    return recorder


def lost(folder: Path, said: list[str]) -> list[str]:
    """The ids that were acknowledged and are not there; damage of any kind counts as a loss."""
    with SQLiteStore(folder / "store.db") as store:
        damage = [found for found in store.verify() if found.where != "the log"]
        there = {record.id for entry in store.journal("s") if (record := getattr(entry, "record", None)) is not None}
        missing = [name for name in said if name not in there]
    with ContextBuffer.open(folder / "store.db", "s") as buffer:
        assert buffer.verify()
    return [*missing, *(found.where for found in damage)]


def cuts(recorder: Recorder, chance: random.Random) -> list[int]:
    """Every sync boundary, just before and just after, and every other moment, in random order."""
    synced = [index for index, step in enumerate(recorder.steps) if step.what in {"sync", "said"}]
    moments = [*synced, *(index + 1 for index in synced)]
    chance.shuffle(moments)
    rest = [moment for moment in range(len(recorder.steps) + 1) if moment not in set(moments)]
    chance.shuffle(rest)
    return [*moments[:400], *rest]


def test_nothing_that_was_acknowledged_is_lost(tmp_path: Path) -> None:
    """At every sync, and in between, with any part of what was not synced yet."""
    recorder = recorded(tmp_path / "store.db")
    chance = random.Random()
    until = time.monotonic() + SECONDS
    for tried, cut in enumerate(cuts(recorder, chance)):
        disk = Disk(recorder.steps[:cut], chance)
        folder = tmp_path / "cut"
        disk.put(folder)
        assert lost(folder, disk.said) == [], f"cut {cut}"
        shutil.rmtree(folder)
        if tried > 20 and time.monotonic() > until:
            break


def test_the_emulation_notices_a_store_that_does_not_sync(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """With the setting that is faster, acknowledged originals are lost."""
    usual = sqlite_schema.connected

    def hasty(path: Path, forms: Forms) -> object:
        connection = usual(path, forms)
        connection.execute("PRAGMA synchronous = NORMAL")
        return connection

    monkeypatch.setattr("ctxcontracts.coldstore.sqlite.connected", hasty)
    recorder = recorded(tmp_path / "store.db")
    monkeypatch.undo()
    chance = random.Random(4)
    losses = 0
    for number in range(20):
        disk = Disk(recorder.steps[: chance.randrange(len(recorder.steps))], chance)
        folder = tmp_path / f"cut{number}"
        disk.put(folder)
        try:
            losses += bool(lost(folder, disk.said))
        except (ColdStoreError, CtxContractsError):
            losses += 1
    assert losses


def test_a_log_that_is_cut_anywhere_holds_what_was_synced_before(tmp_path: Path) -> None:
    """At every end of an operation, and at random bytes."""
    path = tmp_path / "store.db"
    log = tmp_path / "store.db-wal"
    ends: list[tuple[int, str]] = []
    with ContextBuffer.open(path, "s") as buffer:
        buffer.store._writer.connection.execute("PRAGMA wal_autocheckpoint = 0")  # type: ignore[attr-defined]
        for number in range(25):
            span = buffer.observe(user_text(f"{number} {WORDS}"))
            ends.append((log.stat().st_size, span.id))
        whole, file = log.read_bytes(), path.read_bytes()
    chance = random.Random()
    sizes = {0, *(end for end, _ in ends), *(chance.randrange(len(whole)) for _ in range(60))}
    for size in sizes:
        folder = tmp_path / "cut"
        folder.mkdir()
        (folder / "store.db").write_bytes(file)
        (folder / "store.db-wal").write_bytes(whole[:size])
        assert lost(folder, [name for end, name in ends if end <= size]) == [], f"cut at {size}"
        shutil.rmtree(folder)
