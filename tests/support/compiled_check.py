"""Builds the compiled linter and holds it against the interpreted one: the same findings, and one cache for both.

Coverage and most tests look at the interpreted code. What differs once it is compiled shows here: every Markdown
program runs on the compiled wheel, in a clean environment (`docs/design/lint-compiled.md`).
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from tests.support.installed import ROOT, environment, install_with_tests, run, wheel
from tests.support.lint_markdown import programs

TESTS = ("tests/lint/test_markdown.py", "tests/lint/load")


def lint(python: Path | str, folder: Path, cache: Path, **variables: str) -> tuple[str, str]:
    """The report on a folder, and what the run says about itself."""
    command = [str(python), "-m", "ctxlint", str(folder), "--format", "sarif", "--jobs", "1", "--statistics"]
    environ = {**os.environ, "PYTHONPATH": "", "CTXLINT_CACHE_DIR": str(cache), **variables}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environ, cwd=folder)
    if done.returncode not in (0, 1):
        raise SystemExit(f"{python}: exit {done.returncode}: {done.stderr}")
    return done.stdout, done.stderr


def main() -> int:
    made = wheel(ROOT / ".build" / "compiled", CTXLINT_COMPILE="1", PIP_CONSTRAINT=str(ROOT / "constraints.txt"))
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder)
        python = environment(place)
        install_with_tests(python, made)
        version = subprocess.check_output([python, "-m", "ctxlint", "--version"], text=True, cwd=place)
        if "(compiled)" not in version:
            print(f"the installed linter says: {version}")
            return 1
        run(python, "-m", "pytest", "-q", "-n", "2", *TESTS, cwd=place)
        linted = place / "linted"
        for path in sorted((ROOT / "tests" / "lint").rglob("*.md")):
            for number, program in enumerate(programs(path)):
                program.write(linted / path.stem.replace("-", "_") / f"p{number}")
        pure = {"PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "lint")])}
        for first, second in (("pure", "compiled"), ("compiled", "pure")):
            cache = place / f"cache-{first}"
            reports = {}
            for kind in (first, second):
                means = pure if kind == "pure" else {}
                reports[kind] = lint(sys.executable if kind == "pure" else python, linted, cache, **means)
            if reports["pure"][0] != reports["compiled"][0]:
                print(f"compiled and interpreted ctxlint differ over {linted}")
                return 1
            if "of them cached               0" in reports[second][1]:
                print(f"the {second} linter does not read what the {first} one cached")
                return 1
    print("compiled: the same findings as interpreted, and one cache for both")
    return 0


if __name__ == "__main__":
    sys.exit(main())
