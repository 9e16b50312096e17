"""The store in memory."""

from __future__ import annotations

import pytest

from ctxcontracts.coldstore import MemoryStore, Observed
from ctxcontracts.errors import DamagedOriginalError, OriginalMissingError
from ctxcontracts.spans import user_text
from ctxcontracts.testing.stores import O1, ColdStoreSuite, MakeStore, original


class TestMemoryStore(ColdStoreSuite):
    """The suite on a store in memory."""

    @pytest.fixture
    def make_store(self) -> MakeStore:
        return MemoryStore


def damaged() -> MemoryStore:
    """A store whose one original was changed behind its back."""
    store = MemoryStore()
    entry = original(O1)
    store.append("s", [entry], expected=0)
    wrong = entry.record._replace(text="changed")
    store._records[O1] = wrong
    store._journals["s"] = [Observed(wrong)]
    return store


def test_a_changed_original_is_noticed_when_read() -> None:
    """The digest is recomputed on every read."""
    store = damaged()
    with pytest.raises(DamagedOriginalError):
        store.fetch(O1)
    with pytest.raises(DamagedOriginalError):
        store.journal("s")


def test_a_changed_original_is_noticed_by_verify() -> None:
    """`verify` names it."""
    assert [damage.where for damage in damaged().verify()] == [O1]


def test_an_id_used_twice_is_noticed_by_verify() -> None:
    """A journal that gives one id to two spans is damaged."""
    store = MemoryStore()
    store.append("s", [original(O1)], expected=0)
    store._journals["s"].append(original(O1))
    assert [damage.where for damage in store.verify()] == ["s, entry 1"]


def test_its_repr_counts() -> None:
    """Sizes, no texts."""
    assert repr(MemoryStore()) == "<MemoryStore, 0 sessions, 0 records>"


def test_a_text_that_was_passed_for_an_id_is_not_printed() -> None:
    """P14 holds for arguments that are in the wrong place."""
    for wrong in ("the text of a span", user_text("text"), ["s:o1"]):
        with pytest.raises(OriginalMissingError) as refused:
            MemoryStore().fetch(wrong)  # type: ignore[arg-type]
        assert "text of a span" not in str(refused.value)
        assert "which is no id" in str(refused.value)
