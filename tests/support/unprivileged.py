"""Run a piece of code as a user without special rights: root reads every file, so root cannot test permissions."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

NOBODY = 65534
_DROP = f"""
import os
if os.getuid() == 0:
    os.setgroups([])
    os.setgid({NOBODY})
    os.setuid({NOBODY})
"""
# What a run of the linter reads of its own installation, read before the rights are dropped.
WARM_IMPORTS = """
from pathlib import Path
from ctxlint.check import Options, run, search
from ctxlint.config import Config
models = search.load_models()
search.load_models = lambda extra: models
"""


def output_unprivileged(imports: str, code: str) -> str:
    """What `code` prints. `imports` run first, with all rights: the interpreter itself may lie in root's home."""
    done = subprocess.run(
        [sys.executable, "-c", f"{imports}\n{_DROP}\n{code}"],
        capture_output=True,
        text=True,
        check=False,
        cwd="/",
        env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"},
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@contextmanager
def open_folder() -> Iterator[Path]:
    """A new folder that everybody can enter; pytest's own are closed to other users."""
    folder = Path(tempfile.mkdtemp())
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)
