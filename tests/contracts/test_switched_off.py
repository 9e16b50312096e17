"""The refusals that matter hold with the contracts off and under `python -O`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ctxcontracts.contracts import spec

ROOT = Path(__file__).resolve().parents[2]
AGAIN = [
    "test_guards.py",
    "test_predicates.py",
    "test_spec.py",
    "test_overlap.py",
    "test_derives.py",
    "test_reentry.py",
    "test_derives_streams.py",
]

WITHOUT_ICONTRACT = """
import sys
from ctxcontracts import ContextBuffer, RewritePolicyError, summarizer, user_text
from ctxcontracts.contracts import spec

buffer = ContextBuffer()
log = buffer.observe(user_text("the build was red all night, and nobody knew why " * 9))
short = buffer.rewrite(log, summarizer(lambda spans: "red build"))
for spans in (short, [short], log):
    try:
        buffer.rewrite(spans, summarizer(lambda spans: "again"))
    except RewritePolicyError as error:
        assert error.promise is not None
    else:
        raise SystemExit("a rewrite of a summary, or a second one, was not refused")
print(spec.CONTRACTS_ON, "icontract" in sys.modules)
"""

ways = pytest.mark.parametrize(
    ("option", "value"), [([], "off"), (["-O"], "on")], ids=["CTXCONTRACTS_CONTRACTS=off", "python -O"]
)


def run(arguments: list[str], value: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, spec.SWITCH: value}
    return subprocess.run(
        [sys.executable, *arguments], cwd=ROOT, env=environment, capture_output=True, text=True, check=False
    )


@ways
def test_guards_refuse_without_contracts(option: list[str], value: str) -> None:
    """And icontract is not even imported."""
    done = run([*option, "-c", WITHOUT_ICONTRACT], value)
    assert (done.returncode, done.stdout.strip()) == (0, "False False"), done.stdout + done.stderr


@pytest.mark.skipif(not spec.CONTRACTS_ON, reason="this is the run in the subprocess")
def test_the_tests_of_the_contracts_pass_with_contracts_off() -> None:
    """All that does not ask for a contract."""
    files = [str(Path(__file__).parent / name) for name in AGAIN]
    done = run(["-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *files], "off")
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
