"""Runs mypy and pyright over the typing cases, once each, and reads what they said."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import NamedTuple

import pytest

CASES = Path(__file__).resolve().parents[1] / "typing" / "cases"
_MYPY_CONFIG = "[mypy]\nstrict = true\nenable_error_code = deprecated\n"
_PYRIGHT_CONFIG = {"include": ["cases"], "extraPaths": ["cases"], "typeCheckingMode": "strict"}


class Said(NamedTuple):
    """What a checker said: by file and line, all messages of the line as one text."""

    errors: dict[str, dict[int, str]]
    reveals: dict[str, dict[int, str]]


def judged(checker: str, folder: Path) -> Said:
    """What a checker says of all cases, copied to a folder, so that no configuration of ours is found."""
    shutil.copytree(CASES, folder / "cases", ignore=shutil.ignore_patterns("__pycache__"))
    said = Said(errors=defaultdict(dict), reveals=defaultdict(dict))
    for file, line, is_error, message in _BY_CHECKER[checker](folder):
        kind = said.errors if is_error else said.reveals
        kind[file][line] = f"{kind[file].get(line, '')}{message}\n"
    return said


def _mypy(folder: Path) -> list[tuple[str, int, bool, str]]:
    (folder / "mypy.ini").write_text(_MYPY_CONFIG)
    command = [sys.executable, "-m", "mypy", "--config-file", "../mypy.ini", "--cache-dir", "../cache"]
    run = subprocess.run(
        [*command, "--no-error-summary", "."], cwd=folder / "cases", capture_output=True, text=True, check=False
    )
    assert run.returncode in {0, 1}, run.stdout + run.stderr
    found = [re.match(r"(.+?\.py):(\d+): (error|note): (.*)", line) for line in run.stdout.splitlines()]
    return [
        (Path(line[1]).name, int(line[2]), line[3] == "error", line[4])
        for line in found
        if line and (line[3] == "error" or "Revealed type" in line[4])
    ]


def _pyright(folder: Path) -> list[tuple[str, int, bool, str]]:
    (folder / "pyrightconfig.json").write_text(json.dumps(_PYRIGHT_CONFIG))
    command = [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson"]
    run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if run.returncode not in {0, 1}:
        pytest.skip("pyright cannot start here: its first run fetches it")
    return [
        (
            Path(found["file"]).name,
            found["range"]["start"]["line"] + 1,
            found["severity"] == "error",
            f"{found['message']} [{found.get('rule', '')}]",
        )
        for found in json.loads(run.stdout)["generalDiagnostics"]
    ]


_BY_CHECKER = {"mypy": _mypy, "pyright": _pyright}
CHECKERS = tuple(_BY_CHECKER)
