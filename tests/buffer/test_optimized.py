"""The guards under `python -O`, with contracts on and off."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

_PROGRAM = """
from collections.abc import Sequence
from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.contracts import CONTRACTS_ON
from ctxcontracts.errors import CtxContractsError
from ctxcontracts.spans import *

@summarizer
def shrink(spans: Sequence[ObservedSpan]) -> str:
    return "short"

@summarizer
def empty(spans: Sequence[ObservedSpan]) -> str:
    return ""

buffer = ContextBuffer()
one, two, three = (buffer.observe(user_text("word " * 40)) for _ in range(3))
pinned = buffer.observe(system_text("word " * 40), pinned=True)
made = buffer.rewrite(one, shrink)

@summarizer
def peeking(spans: Sequence[ObservedSpan]) -> str:
    return expose(made.text)

for refuse in (
    lambda: buffer.rewrite(made, shrink), lambda: buffer.rewrite(one, shrink), lambda: buffer.rewrite(pinned, shrink),
    lambda: buffer.rewrite([], shrink), lambda: buffer.rewrite([two, two], shrink),
    lambda: buffer.rewrite(two, empty), lambda: buffer.rewrite(two, peeking), lambda: buffer.rederive(two, shrink),
    lambda: buffer.observe("x"), lambda: buffer.rewrite(two, len), lambda: buffer.prune(0),
):
    try:
        refuse()
    except CtxContractsError as error:
        print(type(error).__name__)
    else:
        print("NOT REFUSED")
print(len(buffer), bool(buffer.verify()), __debug__, CONTRACTS_ON)
"""

_REFUSED = [
    "RewritePolicyError",
    "RewritePolicyError",
    "PinnedSpanError",
    "RewritePolicyError",
    "RewritePolicyError",
    "SummaryRejected",
    "RewritePolicyError",
    "RewritePolicyError",
    "ProvenanceError",
    "ProvenanceError",
    "ProvenanceError",
]


@pytest.mark.parametrize("contracts", ["on", "off"])
@pytest.mark.parametrize("option", ["-O", "-c"], ids=["optimized", "plain"])
def test_every_guard_holds(option: str, contracts: str) -> None:
    """Contracts are the spec; the guards are what refuses."""
    command = [sys.executable, *(["-O"] if option == "-O" else []), "-c", _PROGRAM]
    env = {**os.environ, "CTXCONTRACTS_CONTRACTS": contracts}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=env)
    assert done.returncode == 0, done.stderr
    debug = option != "-O"
    assert done.stdout.split("\n")[:-1] == [*_REFUSED, f"4 True {debug} {debug and contracts == 'on'}"]
