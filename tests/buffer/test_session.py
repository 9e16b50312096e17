"""A session and its journal."""

from __future__ import annotations

import pytest

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.coldstore import JournalEntry, MemoryStore, Pruned, Rederived, Rewritten, Tombstone
from ctxcontracts.errors import ColdStoreError
from ctxcontracts.testing.stores import D1, D2, O1, O2, original, summary


@pytest.mark.parametrize(
    "entries",
    [
        [original(O1), original(O1, "again")],
        [original(O2), original(O1)],
        [Pruned((O1,))],
        [original(O1), Pruned((O1, O1))],
        [original(O1), Pruned((O1,)), Rewritten(summary(D1, O1))],
        [original(O1), Rederived(summary(D1, O1), (D2,))],
        [original(O1), Rewritten(summary(D1))],
        [original(O1), Tombstone(O1, ())],
        [Tombstone(D1, ()), Tombstone(D1, (O1,))],
        [Tombstone(O2, ()), original(O1)],
        [original(O1)._replace(record=original(O1).record._replace(id="no id"))],
    ],
    ids=[
        "an id twice",
        "an id too late",
        "a prune of nothing",
        "a prune twice in one",
        "a rewrite of what has left",
        "a re-derivation of nothing",
        "a summary without sources",
        "a tombstone of what is live",
        "a tombstone twice",
        "an id too late behind a tombstone",
        "no id",
    ],
)
def test_a_journal_that_contradicts_itself_is_not_opened(entries: list[JournalEntry]) -> None:
    """A window that never was is worse than none."""
    store = MemoryStore()
    store._journals["s"] = entries
    with pytest.raises(ColdStoreError, match=f"entry {len(entries) - 1} of session s contradicts"):
        ContextBuffer(store, session="s")
