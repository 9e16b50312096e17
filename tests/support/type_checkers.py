"""The type checkers that the typing cases are run through: how each is called, and how its answer is read.

A checker sees a folder with the cases and a `pyproject.toml` with the lines that `ctxcontracts typing-config` prints,
so that what users are told to write is what was measured.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

import pytest

from ctxcontracts.typing_config import CONFIGS

CASES = Path(__file__).resolve().parents[1] / "typing" / "cases"
BIN = Path(sys.executable).parent


class Line(NamedTuple):
    """One message: where, whether it is an error, and its words."""

    file: str
    number: int
    kind: str
    text: str


class CannotStartError(Exception):
    """The checker is not here, or cannot start: its first run fetches something."""


@dataclass(frozen=True, slots=True)
class Checker:
    """One column of the table."""

    name: str
    title: str
    pyproject: str
    command: tuple[str, ...]
    read: Callable[[str], Iterable[Line]]

    def run(self, folder: Path) -> list[Line]:
        """What it says of the programs in a folder, in the order in which it says it.

        Raises:
            CannotStartError: when it is not installed, or ends in a way that is no answer.
        """
        (folder / "pyproject.toml").write_text(self.pyproject, encoding="utf-8")
        try:
            done = subprocess.run(self.command, cwd=folder, capture_output=True, text=True, check=False)
        except FileNotFoundError as error:
            raise CannotStartError(f"{self.name}: {error}") from error
        if done.returncode not in {0, 1}:
            raise CannotStartError(f"{self.name} ended with {done.returncode}: {done.stdout}{done.stderr}")
        return list(self.read(done.stdout))


_MYPY_LINE = re.compile(r"(?P<file>[^:]+\.py):(?P<line>\d+)(?::\d+)?: (?P<kind>error|note|warning): (?P<text>.*)")
_TY_LINE = re.compile(
    r"(?P<file>[^:]+\.py):(?P<line>\d+):\d+: (?P<kind>error|info|warning)\[(?P<rule>.+?)\] (?P<text>.*)"
)


def _of_mypy(printed: str) -> Iterable[Line]:
    for found in filter(None, map(_MYPY_LINE.match, printed.splitlines())):
        kind = "reveal" if "Revealed type" in found["text"] else found["kind"]
        yield Line(Path(found["file"]).name, int(found["line"]), kind, found["text"])


def _of_pyright(printed: str) -> Iterable[Line]:
    for found in json.loads(printed)["generalDiagnostics"]:
        is_reveal = found["severity"] == "information" and found["message"].startswith("Type of ")
        rule = f" ({found['rule']})" if "rule" in found else ""
        kind = "reveal" if is_reveal else found["severity"]
        yield Line(Path(found["file"]).name, found["range"]["start"]["line"] + 1, kind, found["message"] + rule)


def _of_pyrefly(printed: str) -> Iterable[Line]:
    found: dict[str, Any]
    for found in json.loads(printed)["errors"]:
        is_reveal = found["name"] == "reveal-type"
        kind = "reveal" if is_reveal else found["severity"]
        rule = "" if is_reveal else f" [{found['name']}]"
        yield Line(Path(found["path"]).name, found["line"], kind, found["concise_description"] + rule)


def _of_ty(printed: str) -> Iterable[Line]:
    for found in filter(None, map(_TY_LINE.match, printed.splitlines())):
        kind = "reveal" if found["rule"] == "revealed-type" else found["kind"]
        yield Line(Path(found["file"]).name, int(found["line"]), kind, f"{found['text']} [{found['rule']}]")


def _mypy(name: str, title: str, pyproject: str) -> Checker:
    return Checker(name, title, pyproject, (sys.executable, "-m", "mypy", "--no-error-summary", "."), _of_mypy)


def _pyright(name: str, title: str, pyproject: str) -> Checker:
    module = "basedpyright" if name == "basedpyright" else "pyright"
    command = (sys.executable, "-m", module, "--pythonpath", sys.executable, "--outputjson")
    return Checker(name, title, pyproject, command, _of_pyright)


def _native(name: str, read: Callable[[str], Iterable[Line]], *arguments: str) -> Checker:
    return Checker(name, name, CONFIGS[name].pyproject, (str(BIN / name), *arguments), read)


_MYPY, _PYRIGHT = CONFIGS["mypy"].pyproject, CONFIGS["pyright"].pyproject
CHECKERS = (
    _mypy("mypy", "mypy", "[tool.mypy]\n"),
    _mypy("mypy-strict", "mypy strict", _MYPY.replace('plugins = ["ctxcontracts.mypy_plugin"]\n', "")),
    _mypy("mypy-plugin", "mypy with our plugin", _MYPY),
    _pyright("pyright", "pyright", _PYRIGHT.replace('"strict"', '"standard"')),
    _pyright("pyright-strict", "pyright strict", _PYRIGHT),
    _pyright("basedpyright", "basedpyright", CONFIGS["basedpyright"].pyproject),
    _native("pyrefly", _of_pyrefly, "check", "--python-interpreter-path", sys.executable, "--output-format", "json"),
    _native("ty", _of_ty, "check", "--python", sys.executable, "--output-format", "concise"),
    _native("zuban", _of_mypy, "check", "--python-executable", sys.executable),
)


def skip_or_fail(reason: str) -> NoReturn:
    """Skips what needs a checker that cannot start; in CI that is an error, for else nobody would notice."""
    if os.environ.get("CI"):
        pytest.fail(f"a type checker that CI must run cannot start: {reason}", pytrace=False)
    pytest.skip(reason)


def copied_cases(folder: Path) -> Path:
    """A folder with the cases, so that no configuration of ours is found above them."""
    shutil.copytree(CASES, folder, ignore=shutil.ignore_patterns("__pycache__"), dirs_exist_ok=True)
    return folder
