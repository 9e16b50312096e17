"""The second part of the demo: the session runs, is killed hard in the middle, and goes on with nothing lost."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

from terminal import plain

from ctxcontracts import ContextBuffer, SourceId

SCRIPT = Path(__file__).with_name("session.py")
CYCLES = 40
KILLED_AFTER = 23


def _run(store: Path, first: int, *, kill_after: int | None = None) -> list[dict[str, Any]]:
    """Run the cycles from `first` in a process of its own; kill it with SIGKILL after one of them."""
    command = [sys.executable, str(SCRIPT), str(store), *(str(cycle) for cycle in range(first, CYCLES + 1))]
    seen: list[dict[str, Any]] = []
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 - our own script
        for line in process.stdout or ():
            seen.append(json.loads(line))
            if seen[-1]["cycle"] == kill_after:
                process.kill()
                break
    if kill_after is None and process.returncode:
        raise SystemExit(process.returncode)
    return seen


def show_session(folder: Path) -> None:
    """Run the session of 40 cycles with a kill in the middle, and check the store afterwards."""
    store = folder / "session.db"
    done = _run(store, 1, kill_after=KILLED_AFTER)
    acknowledged = done[-1]["originals"]
    with ContextBuffer.open(store, "demo") as buffer:
        found = sum(bool(buffer.original(SourceId(f"demo:o{n}"))) for n in range(1, acknowledged + 1))
        live, tokens = len(buffer), buffer.tokens
    plain(
        f"   kill -9 after cycle {KILLED_AFTER}: {found} of {acknowledged} acknowledged originals are in the store; "
        f"the window resumes with {live} spans, {tokens:,} tokens"
    )
    done += _run(store, KILLED_AFTER + 1)
    total = {key: sum(row[key] for row in done) for key in ("pruned", "rewritten", "summaries", "rederived")}
    peak = max(row["tokens"] for row in done)
    plain(
        f"   {len(done)} cycles of 200k tokens, compacted above 70 %: {total['pruned']} spans pruned, "
        f"{total['rewritten']} rewritten once into {total['summaries']} summaries, {total['rederived']} re-derived "
        f"from originals; never above {peak:,} tokens"
    )
    with ContextBuffer.open(store, "demo") as buffer:
        checked = buffer.verify()
    plain(f"   verify: {checked}")
