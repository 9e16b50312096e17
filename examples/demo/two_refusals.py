"""The third part of the demo: the rewrite of a rewrite, refused by mypy and refused at run time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from terminal import indented, plain

PROGRAM = Path(__file__).with_name("refused.py")


def show_refusals() -> None:
    """Type-check and run the program that must not be written."""
    line = next(line for line in PROGRAM.read_text(encoding="utf-8").splitlines() if "summary of a summary" in line)
    plain(f"   `{line.split('#')[0].strip()}`, where `summary` is the result of a rewrite:")
    cache = PROGRAM.parents[2] / ".build" / "mypy"
    checked = subprocess.run(  # noqa: S603 - our own program
        [sys.executable, "-m", "mypy", "--strict", "--no-error-summary", "--cache-dir", cache, PROGRAM.name],
        cwd=PROGRAM.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    indented(checked.stdout, by="   mypy:     ")
    ran = subprocess.run([sys.executable, str(PROGRAM)], capture_output=True, text=True, check=True)  # noqa: S603
    first, *rest = ran.stdout.splitlines()
    plain(f"   run time: RewritePolicyError: {first}")
    indented("\n".join(rest), by="            ")
