"""Many sessions of one process on one store, for tests and benchmarks.

python -m tests.support.crowd STORE NAME SESSIONS ROUNDS
"""

from __future__ import annotations

import sys
import threading
import time

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.coldstore import SQLiteStore
from ctxcontracts.spans import user_text
from tests.support.buffers import WORDS, shrink


def session(store: SQLiteStore, name: str, rounds: int, took: list[float]) -> None:
    """One session: two turns come in, and are rewritten."""
    buffer = ContextBuffer(store, session=name)
    for number in range(rounds):
        spans = buffer.observe_all([user_text(f"{name} {number} {half} {WORDS}") for half in "ab"])
        begun = time.perf_counter()
        buffer.rewrite(spans, shrink)
        took.append(time.perf_counter() - begun)


def crowd(path: str, name: str, sessions: int, rounds: int) -> list[float]:
    """So many sessions in threads of this process; the seconds that each rewrite took."""
    took: list[float] = []
    with SQLiteStore(path) as store:
        threads = [
            threading.Thread(target=session, args=(store, f"{name}-{number}", rounds, took))
            for number in range(sessions)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    return took


if __name__ == "__main__":
    print(*crowd(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
