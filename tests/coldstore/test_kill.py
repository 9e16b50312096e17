"""What was acknowledged is there after a kill at any moment."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from ctxcontracts.buffer import ContextBuffer

_CHILD = """
import sys
from collections.abc import Sequence
from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.spans import ObservedSpan, summarizer, user_text

@summarizer
def shrink(spans: Sequence[ObservedSpan]) -> str:
    return "They talked."

with ContextBuffer.open(sys.argv[1], "s") as buffer:
    number = 0
    while True:
        number += 1
        span = buffer.observe(user_text(f"message {number} " + "word " * 40))
        print("observed", span.id, flush=True)
        if number % 3 == 0:
            made = buffer.rewrite([span for span in buffer.spans if not span.generation][-2:], shrink)
            print("rewritten", made.id, *made.sources, flush=True)
        if number % 5 == 0:
            print("pruned", *buffer.prune(buffer.spans[0]), flush=True)
"""


@pytest.mark.parametrize("seed", range(4))
def test_an_acknowledged_operation_survives_a_kill(tmp_path: Path, seed: int) -> None:
    """The child says what is done after it is done; the parent kills it without warning."""
    store = tmp_path / "store.db"
    child = subprocess.Popen([sys.executable, "-c", _CHILD, str(store)], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    said = [child.stdout.readline()]
    time.sleep(random.Random(seed).uniform(0.02, 0.4))
    child.send_signal(signal.SIGKILL)
    said += child.stdout.read().split("\n")[:-1]
    child.stdout.close()
    assert child.wait() == -signal.SIGKILL
    with ContextBuffer.open(store, "s") as buffer:
        assert buffer.verify()
        assert buffer.store.verify() == ()
        for line in said:
            kind, *ids = line.split()
            if kind == "observed":
                assert buffer.original(ids[0]).id == ids[0]
            elif kind == "rewritten":
                assert buffer.store.derived(ids[0]).sources == tuple(ids[1:])
                assert all(not buffer.is_live(source) for source in ids[1:])
            else:
                assert not buffer.is_live(ids[0])
