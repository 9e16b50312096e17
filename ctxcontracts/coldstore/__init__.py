"""Cold stores: the append-only homes of the originals, the summaries and the journals."""

from __future__ import annotations

from ctxcontracts.coldstore.damage import Damage
from ctxcontracts.coldstore.forgetting import Forgetting
from ctxcontracts.coldstore.forms import Cipher
from ctxcontracts.coldstore.journal import (
    Forgotten,
    JournalEntry,
    Observed,
    Pruned,
    Rederived,
    Rewritten,
    Started,
    Tombstone,
)
from ctxcontracts.coldstore.memory import MemoryStore
from ctxcontracts.coldstore.protocol import ColdStore
from ctxcontracts.coldstore.reference import from_dict
from ctxcontracts.coldstore.retention import Retention, retain
from ctxcontracts.coldstore.sqlite import SQLiteStore

__all__ = [
    "Cipher",
    "ColdStore",
    "Damage",
    "Forgetting",
    "Forgotten",
    "JournalEntry",
    "MemoryStore",
    "Observed",
    "Pruned",
    "Rederived",
    "Retention",
    "Rewritten",
    "SQLiteStore",
    "Started",
    "Tombstone",
    "from_dict",
    "retain",
]
