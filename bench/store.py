"""What the SQLite store costs beside the least that the same promise can cost, as ratios in one run.

python bench/store.py                       # all four; about two minutes
python bench/store.py --operations 20000    # quicker
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.coldstore import SQLiteStore, sqlite_writer
from ctxcontracts.spans import ObservedSpan, summarizer, user_text

SHORT = "Restarted the billing service; its log is clean since then, watch it for an hour. "
TEXT = SHORT * 25
SUMMARY = "They restarted the billing service and watch its log; everything else was left as it is. " * 4
WRITERS, PROCESSES, SECONDS = 50, 4, 6.0


@summarizer
def shrink(spans: list[ObservedSpan]) -> str:
    return f"{spans[0].id} and {len(spans)} more: {SUMMARY if len(spans) > 2 else SHORT}"


def bare(path: Path) -> sqlite3.Connection:
    """A connection with the settings of the store, and two tables."""
    connection = sqlite3.connect(path, isolation_level=None, timeout=30, check_same_thread=False)
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("CREATE TABLE IF NOT EXISTS blobs (digest TEXT UNIQUE, content BLOB)")
    connection.execute("CREATE TABLE IF NOT EXISTS journal (number INTEGER PRIMARY KEY, entry TEXT)")
    return connection


def bare_transaction(connection: sqlite3.Connection, text: bytes, line: str) -> None:
    connection.execute("BEGIN IMMEDIATE")
    connection.execute("INSERT INTO blobs VALUES (?, ?)", (hashlib.sha256(text).hexdigest(), text))
    connection.execute("INSERT INTO journal (entry) VALUES (?)", (line,))
    connection.execute("COMMIT")


def took(call: Callable[[], Any]) -> float:
    begun = time.perf_counter()
    call()
    return time.perf_counter() - begun


def rewrite(folder: Path) -> dict[str, float]:
    """One durable rewrite of 5 spans, beside one bare transaction of the same bytes."""
    ours, plain = [], []
    connection = bare(folder / "bare.db")
    reader = sqlite3.connect(folder / "ours.db")
    with ContextBuffer.open(folder / "ours.db", "s") as buffer:
        for number in range(150):
            spans = buffer.observe_all([user_text(f"{number} {part} {TEXT}") for part in range(5)])
            ours.append(took(lambda: buffer.rewrite(spans, shrink)))  # noqa: B023
            (content,) = reader.execute("SELECT entry FROM journal ORDER BY number DESC LIMIT 1").fetchone()
            text = f"{number} {SUMMARY}".encode()
            plain.append(took(lambda: bare_transaction(connection, text, content)))  # noqa: B023
    return {
        "ours, ms": statistics.median(ours) * 1e3,
        "bare, ms": statistics.median(plain) * 1e3,
        "ratio": statistics.median(ours) / statistics.median(plain),
    }


def one_writer(store: SQLiteStore, name: str, taken: list[float]) -> None:
    """Two turns come in and are rewritten, again and again; the seconds that each such round took."""
    buffer = ContextBuffer(store, session=name, reentry="off")
    until = time.monotonic() + SECONDS
    number = 0
    while time.monotonic() < until:
        begun = time.perf_counter()
        spans = buffer.observe_all([user_text(f"{name} {number} {part} {SHORT * 6}") for part in range(2)])
        buffer.rewrite(spans, shrink)
        taken.append(time.perf_counter() - begun)
        number += 1


def begin_alone(connection: sqlite3.Connection) -> None:
    """How a store without a shared writer takes the lock: it leaves the waiting to SQLite."""
    connection.execute("PRAGMA busy_timeout = 30000")
    connection.execute("BEGIN IMMEDIATE")


def writers(path: str, name: str, number: int, *, shared: bool) -> list[float]:
    """So many writers in this process, on one store, or each on its own with a transaction for each operation."""
    if not shared:
        sqlite_writer._begin = begin_alone
    stores = [SQLiteStore(path) for _ in range(1 if shared else number)]
    taken: list[float] = []
    threads = [
        threading.Thread(target=one_writer, args=(stores[n % len(stores)], f"{name}-{n}", taken))
        for n in range(number)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return taken


def crowd(folder: Path) -> dict[str, float]:
    """50 writers in 4 processes on one file, with shared transactions and with one for each operation."""
    out: dict[str, float] = {}
    for kind in ("shared", "each"):
        path = folder / f"{kind}.db"
        SQLiteStore(path).close()
        sizes = [WRITERS // PROCESSES + (n < WRITERS % PROCESSES) for n in range(PROCESSES)]
        command = [sys.executable, __file__, "--writers", kind, str(path)]
        children = [
            subprocess.Popen([*command, f"p{n}", str(size)], stdout=subprocess.PIPE, text=True)
            for n, size in enumerate(sizes)
        ]
        taken = sorted(second for child in children for second in json.loads(child.communicate()[0]))
        assert all(child.returncode == 0 for child in children)
        out[f"{kind}, rewrites/s"] = len(taken) / SECONDS
        out[f"{kind}, p99 ms"] = taken[len(taken) * 99 // 100] * 1e3
    out["ratio"] = out["shared, rewrites/s"] / out["each, rewrites/s"]
    return out


def opening(folder: Path, operations: int) -> dict[str, float]:
    """A session of many operations, opened, beside its snapshot read and decoded."""
    path = folder / "long.db"
    with ContextBuffer.open(path, "s", reentry="off") as buffer:
        done = 0
        while done < operations:
            spans = buffer.observe_all([user_text(f"{done} {part} {SHORT * 2}") for part in range(60)])
            done += 60
            for start in range(0, 60, 6):
                buffer.rewrite(spans[start : start + 6], shrink)
                done += 1
            if len(buffer) > 400:
                done += 1
                buffer.prune(buffer.spans[:200])
    ours = min(took(lambda: ContextBuffer.open(path, "s").close()) for _ in range(7))

    def decoded() -> None:
        connection = sqlite3.connect(path)
        (state,) = connection.execute("SELECT state FROM snapshots").fetchone()
        json.loads(zlib.decompress(state))
        connection.close()

    least = min(took(decoded) for _ in range(7))
    size = sqlite3.connect(path).execute("SELECT count(*) FROM journal").fetchone()[0]
    return {"entries": size, "ours, ms": ours * 1e3, "read and decoded, ms": least * 1e3, "ratio": ours / least}


def verification(folder: Path) -> dict[str, float]:
    """`verify` beside hashing all texts, each read from the file."""
    path = folder / "verify.db"
    with SQLiteStore(path) as store:
        buffer = ContextBuffer(store, session="s", reentry="off")
        for start in range(0, 20_000, 500):
            buffer.observe_all([user_text(f"{number} {TEXT}") for number in range(start, start + 500)])

    def hashed() -> None:
        connection = sqlite3.connect(path)
        for (content,) in connection.execute("SELECT content FROM blobs"):
            hashlib.sha256(content).hexdigest()
        connection.close()

    with SQLiteStore(path) as store:
        ours = min(took(store.verify) for _ in range(3))
    least = min(took(hashed) for _ in range(3))
    return {"ours, ms": ours * 1e3, "hashing, ms": least * 1e3, "ratio": ours / least}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--operations", type=int, default=100_000)
    parser.add_argument(
        "--folder", type=Path, default=None, help="where the files lie; a new temporary folder if not given"
    )
    parser.add_argument("--writers", nargs=4, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.writers:
        kind, path, name, number = options.writers
        print(json.dumps(writers(path, name, int(number), shared=kind == "shared")))
        return
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        place = Path(folder)
        for what, figures in (
            ("a durable rewrite of 5 spans of 2 KB", rewrite(place)),
            (f"{WRITERS} writers in {PROCESSES} processes", crowd(place)),
            (f"opening a session of {options.operations:,} operations", opening(place, options.operations)),
            ("verify of 20,000 texts of 2 KB", verification(place)),
        ):
            print(what)
            for name, figure in figures.items():
                print(f"  {name:24} {figure:10.2f}")


if __name__ == "__main__":
    main()
