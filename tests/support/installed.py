"""A wheel of this checkout in an environment of its own, with the tests where no source of ours is near."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PINS = ROOT / "constraints.txt"


def run(*command: str | Path, cwd: Path, **variables: str) -> None:
    """Run a command that must succeed, away from the checkout's packages."""
    subprocess.run(
        [str(part) for part in command], cwd=cwd, check=True, env={**os.environ, "PYTHONPATH": "", **variables}
    )


def wheel(kept: Path, *options: str, **variables: str) -> Path:
    """The wheel of this checkout, made in the folder `kept`."""
    shutil.rmtree(kept, ignore_errors=True)
    run(sys.executable, "-m", "build", "--wheel", *options, "--outdir", kept, ROOT, cwd=ROOT, **variables)
    (made,) = kept.glob("*.whl")
    return made


def environment(place: Path) -> Path:
    """A new environment in `place`: its Python."""
    run(sys.executable, "-m", "venv", place / "venv", cwd=place)
    return place / "venv" / "bin" / "python"


def install(python: Path, *wanted: str) -> None:
    """Install into an environment, in the pinned versions."""
    run(python, "-m", "pip", "install", "-q", "--constraint", PINS, *wanted, cwd=python.parent)


def install_with_tests(python: Path, made: Path, *more: str) -> None:
    """Install a wheel with all that the tests need, and lay the tests out beside the environment."""
    place = python.parents[2]
    full = f"ctxcontracts[lint,fixit,testing,zstd] @ {made.as_uri()}"
    install(python, full, "pytest-asyncio", "pytest-xdist", "inline-snapshot", "markdown-it-py", *more)
    shutil.copytree(ROOT / "tests", place / "tests")
    (place / "pytest.ini").write_text(
        "[pytest]\naddopts = --import-mode=importlib -p no:cacheprovider\nasyncio_mode = auto\npythonpath = .\n"
    )
