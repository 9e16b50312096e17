"""The stateful test is able to fail: six faults put in on purpose are each caught, with contracts off."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def verdict(fault: str) -> str:
    done = subprocess.run(
        [sys.executable, "-m", "tests.support.seeded_faults", fault],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={**os.environ, "CTXCONTRACTS_CONTRACTS": "off"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()[-1]


@pytest.mark.parametrize(
    "fault",
    [
        "generation check gone",
        "source id lost",
        "store keyed by index",
        "token drift",
        "order broken",
        "id reused",
    ],
)
def test_a_seeded_fault_is_caught(fault: str) -> None:
    """Each stands for a kind of mistake that buffers of this sort have had."""
    assert verdict(fault).startswith("caught")


def test_without_a_fault_nothing_is_caught() -> None:
    """The verdicts above are about the faults."""
    assert verdict("none") == "not caught"
