"""Builds the wheel, installs it into a clean environment, and runs the tests from another folder against it.

mypy and an editable install stay green when the packaging is broken; this does not.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TESTS = (
    "tests/spans",
    "tests/contracts",
    "tests/buffer",
    "tests/coldstore",
    "tests/compaction",
    "tests/lint/test_markdown.py",
)


def run(*command: str | Path, cwd: Path) -> None:
    subprocess.run([str(part) for part in command], cwd=cwd, check=True, env={**os.environ, "PYTHONPATH": ""})


def types_of_the_installed(place: Path) -> None:
    """The types that a user gets: `mypy --strict` clean, and every public symbol typed."""
    python = place / "venv" / "bin" / "python"
    run(python, "-m", "pip", "install", "-q", "--constraint", ROOT / "constraints.txt", "mypy", cwd=place)
    run(python, "-m", "mypy", "--strict", "-p", "ctxcontracts", cwd=place)
    inside = {**os.environ, "PYTHONPATH": "", "PATH": f"{python.parent}{os.pathsep}{os.environ['PATH']}"}
    command = [sys.executable, "-m", "pyright", "--verifytypes", "ctxcontracts", "--ignoreexternal"]
    subprocess.run(command, cwd=place, check=True, env=inside)


def main() -> int:
    kept = ROOT / ".build" / "wheel"
    shutil.rmtree(kept, ignore_errors=True)
    run(sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", kept, ROOT, cwd=ROOT)
    (wheel,) = kept.glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    tops = {name.split("/")[0] for name in names}
    if not {"ctxcontracts", "ctxlint"} <= tops or "lint" in tops or "tests" in tops:
        print(f"the wheel holds {sorted(tops)}")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        run(sys.executable, "-m", "venv", place / "venv", cwd=place)
        python = place / "venv" / "bin" / "python"
        pins = ("--constraint", ROOT / "constraints.txt")
        plain = f"ctxcontracts @ {wheel.as_uri()}"
        run(python, "-m", "pip", "install", "-q", *pins, plain, cwd=place)
        run(python, "-c", "import ctxcontracts, ctxlint; ctxcontracts.ContextBuffer()", cwd=place)
        full = f"ctxcontracts[lint,fixit,testing] @ {wheel.as_uri()}"
        run(
            python,
            "-m",
            "pip",
            "install",
            "-q",
            *pins,
            full,
            "pytest-asyncio",
            "inline-snapshot",
            "markdown-it-py",
            "msgspec",
            "pydantic",
            cwd=place,
        )
        shutil.copytree(ROOT / "tests", place / "tests")
        (place / "pytest.ini").write_text(
            "[pytest]\naddopts = --import-mode=importlib -p no:cacheprovider\nasyncio_mode = auto\npythonpath = .\n"
        )
        run(python, "-m", "pytest", "-q", *TESTS, cwd=place)
        run(place / "venv" / "bin" / "ctxlint", "--version", cwd=place)
        run(place / "venv" / "bin" / "ctxcontracts", "typing-config", "mypy", cwd=place)
        types_of_the_installed(place)
    print("wheel: both packages work from a clean environment")
    return 0


if __name__ == "__main__":
    sys.exit(main())
