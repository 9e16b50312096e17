# @derives over every store that the library has
# differs from ok_derives_signatures: with a store
from __future__ import annotations
from ctxcontracts import MemoryStore, SQLiteStore, derives
from ctxcontracts.contracts import MemoryRegistry

for store in (MemoryStore(), SQLiteStore("agent.db"), MemoryRegistry()):
    @derives(store=store)
    def summarize(messages: list[str]) -> str:
        return "x"
