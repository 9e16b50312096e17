"""`make demo`: the main job of both packages, on real input, in one screen."""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path

from kill_and_resume import show_session
from lint_real_code import show_lint
from terminal import heading, plain
from two_refusals import show_refusals


def main() -> int:
    """Show the linter, then the library."""
    started = time.perf_counter()
    with tempfile.TemporaryDirectory(prefix="ctxcontracts-demo-") as folder:
        heading("1. ctxlint: does this code base feed summaries back into summarizers?")
        show_lint(Path(folder))
        heading("2. ctxcontracts: an agent that edits its own context, and cannot drift")
        show_session(Path(folder))
        show_refusals()
    plain("")
    plain(f"That took {time.perf_counter() - started:.0f} s. Next: README.md, or `.venv/bin/ctxlint YOUR/CODE`.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
