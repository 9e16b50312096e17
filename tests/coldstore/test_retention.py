"""Originals that a store need not keep any longer go by `forget`, and its log says so."""

from __future__ import annotations

import time
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from ctxcontracts.coldstore import Forgotten, MemoryStore, Retention, SQLiteStore, retain
from ctxcontracts.errors import ColdStoreError
from ctxcontracts.spans.provenance import SourceId
from ctxcontracts.testing.stores import original

DAY = 24 * 3600 * 1000


@pytest.fixture(params=["memory", "file"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[MemoryStore | SQLiteStore]:
    """Six originals of 100 bytes: the first two 50 days old, the next two 10, the last two new."""
    made: MemoryStore | SQLiteStore = (
        MemoryStore() if request.param == "memory" else SQLiteStore(tmp_path / "store.db")
    )
    with pytest.MonkeyPatch.context() as patched, made:
        now = time.time_ns()
        for number, days in enumerate([50, 50, 10, 10, 0, 0]):
            patched.setattr(time, "time_ns", lambda days=days: now - days * DAY * 1_000_000)
            made.append("s", [original(SourceId(f"s:o{number}"), f"{number}" * 100)], expected=number)
        patched.undo()
        yield made


def left(store: MemoryStore | SQLiteStore) -> list[str]:
    return [holding.id for holding in store.holdings()]


def test_what_is_too_old_goes(store: MemoryStore | SQLiteStore) -> None:
    """The log says why."""
    done = retain(store, Retention(max_age=timedelta(days=30)), key=b"k" * 16)
    assert done is not None
    assert done.originals == ("s:o0", "s:o1")
    assert left(store) == ["s:o2", "s:o3", "s:o4", "s:o5"]
    *_, log = store.journal("s")
    assert isinstance(log, Forgotten)
    assert log.reason == "retention: 2 older than 30 days, 0:00:00"
    assert retain(store, Retention(max_age=timedelta(days=30))) is None


def test_what_is_over_the_quota_goes_oldest_first(store: MemoryStore | SQLiteStore) -> None:
    """Until the rest fits; what is to be kept stays."""
    assert {holding.size for holding in store.holdings()} == {100}
    retain(store, Retention(max_bytes=350), keep=[SourceId("s:o1")])
    assert left(store) == ["s:o1", "s:o4", "s:o5"]
    *_, log = store.journal("s")
    assert isinstance(log, Forgotten)
    assert log.reason == "retention: 3 over the quota of 350 bytes"


def test_both_bounds_go_in_one_forgetting(store: MemoryStore | SQLiteStore) -> None:
    """And no bound forgets nothing."""
    assert retain(store, Retention()) is None
    done = retain(store, Retention(max_age=timedelta(days=30), max_bytes=300))
    assert done is not None
    assert len(done.originals) == 3
    assert store.verify() == ()


@pytest.mark.parametrize("bounds", [{"max_age": timedelta(days=-1)}, {"max_bytes": -1}])
def test_a_bound_is_not_negative(bounds: dict[str, object]) -> None:
    """A wrong sign would forget everything."""
    with pytest.raises(ColdStoreError, match="Retention"):
        Retention(**bounds)  # type: ignore[arg-type]
