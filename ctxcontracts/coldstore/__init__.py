"""Cold stores: the append-only homes of the originals, the summaries and the journals."""

from __future__ import annotations

from ctxcontracts.coldstore.damage import Damage
from ctxcontracts.coldstore.journal import JournalEntry, Observed, Pruned, Rederived, Rewritten, Started
from ctxcontracts.coldstore.memory import MemoryStore
from ctxcontracts.coldstore.protocol import ColdStore
from ctxcontracts.coldstore.reference import from_dict
from ctxcontracts.coldstore.sqlite import SQLiteStore

__all__ = [
    "ColdStore",
    "Damage",
    "JournalEntry",
    "MemoryStore",
    "Observed",
    "Pruned",
    "Rederived",
    "Rewritten",
    "SQLiteStore",
    "Started",
    "from_dict",
]
