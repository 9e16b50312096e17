"""Builds the wheel, installs it into a clean environment, and runs the tests from another folder against it.

mypy and an editable install stay green when the packaging is broken; this does not. The wheel is one of pure Python:
`compiled_check.py` sees to the other.
"""

from __future__ import annotations

import os
import sys
import tempfile
import zipfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.support.installed import ROOT, environment, install, install_with_tests, run, wheel

TESTS = (
    "tests/spans",
    "tests/contracts",
    "tests/buffer",
    "tests/coldstore",
    "tests/compaction",
    "tests/lint/test_markdown.py",
)


def types_of_the_installed(place: Path) -> None:
    """The types that a user gets: `mypy --strict` clean, and every public symbol typed."""
    python = place / "venv" / "bin" / "python"
    install(python, "mypy")
    run(python, "-m", "mypy", "--strict", "-p", "ctxcontracts", cwd=place)
    command = (sys.executable, "-m", "pyright", "--verifytypes", "ctxcontracts", "--ignoreexternal")
    run(*command, cwd=place, PATH=f"{python.parent}{os.pathsep}{os.environ['PATH']}")


def main() -> int:
    made = wheel(ROOT / ".build" / "wheel", "--no-isolation", CTXLINT_COMPILE="0")
    names = zipfile.ZipFile(made).namelist()
    tops = {name.split("/")[0] for name in names}
    if not {"ctxcontracts", "ctxlint"} <= tops or "lint" in tops or "tests" in tops:
        print(f"the wheel holds {sorted(tops)}")
        return 1
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        python = environment(place)
        install(python, f"ctxcontracts @ {made.as_uri()}")
        run(python, "-c", "import ctxcontracts, ctxlint; ctxcontracts.ContextBuffer()", cwd=place)
        install_with_tests(python, made, "msgspec", "pydantic")
        run(python, "-m", "pytest", "-q", "-n", "2", *TESTS, cwd=place)
        run(place / "venv" / "bin" / "ctxlint", "--version", cwd=place)
        run(place / "venv" / "bin" / "ctxcontracts", "typing-config", "mypy", cwd=place)
        types_of_the_installed(place)
    print("wheel: both packages work from a clean environment")
    return 0


if __name__ == "__main__":
    sys.exit(main())
