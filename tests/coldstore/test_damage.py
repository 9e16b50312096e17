"""Cut files and flipped bits: what is damaged says so, and no answer is ever wrong in silence."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from ctxcontracts.coldstore import SQLiteStore
from ctxcontracts.errors import ColdStoreError
from tests.support.small_store import answers, small_store

SECONDS = 4.0
"""How long damage is tried, at places that are drawn anew at each run."""


@pytest.fixture(scope="module")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return small_store(tmp_path_factory.mktemp("sound") / "store.db")


def told(path: Path) -> dict[str, object] | str:
    """All answers of a store, or what it says instead of them."""
    try:
        with SQLiteStore(path) as store:
            damage = store.verify()
            return f"{damage[0].where}: {damage[0].what}" if damage else answers(store)
    except ColdStoreError as error:
        return error.happened


def fresh(path: Path, content: bytes) -> Path:
    for leftover in path.parent.glob(path.name + "*"):
        leftover.unlink()
    path.write_bytes(content)
    return path


def test_a_file_that_is_cut_anywhere_says_so(sound: Path, tmp_path: Path) -> None:
    """At every byte, as far as the time goes; an empty file is a new store, and is empty."""
    content, right = sound.read_bytes(), told(sound)
    assert isinstance(right, dict)
    sizes = list(range(1, len(content)))
    random.Random().shuffle(sizes)
    until = time.monotonic() + SECONDS / 2
    path = tmp_path / "store.db"
    for size in sizes:
        said = told(fresh(path, content[:size]))
        assert isinstance(said, str) or said == right, f"cut at {size}"
        if time.monotonic() > until:
            break
    empty = told(fresh(path, b""))
    assert isinstance(empty, dict)
    assert empty["sessions"] == ()


def test_a_flipped_bit_is_found_or_changes_no_answer(sound: Path, tmp_path: Path) -> None:
    """One bit at a time, anywhere in a checkpointed file."""
    content, right = sound.read_bytes(), told(sound)
    chance = random.Random()
    until = time.monotonic() + SECONDS
    path = tmp_path / "store.db"
    found = tried = 0
    while tried < 100 or time.monotonic() < until:
        bit = chance.randrange(len(content) * 8)
        flipped = bytearray(content)
        flipped[bit // 8] ^= 1 << bit % 8
        said = told(fresh(path, bytes(flipped)))
        assert isinstance(said, str) or said == right, f"bit {bit}"
        found += isinstance(said, str)
        tried += 1
    assert found > tried / 5
