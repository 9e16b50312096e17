"""What all checkers say of all typing cases: run once, side by side, and kept until something changes.

said = verdicts()["ty"]
said.errors["r1_upcast"]        # {7: "Object of type `DerivedSpan` is not assignable to `ObservedSpan` [...]"}
"""

from __future__ import annotations

import fcntl
import hashlib
import json
import re
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from importlib.metadata import version
from pathlib import Path

from tests.support.type_checkers import CASES, CHECKERS, CannotStartError, Checker, Line, copied_cases

ROOT = Path(__file__).resolve().parents[2]
_KEPT = ROOT / ".build" / "typing"
_MARK = re.compile(r"# E: (?P<text>.+)$")


@dataclass(frozen=True, slots=True)
class Said:
    """What one checker said.

    Attributes:
        errors: by case and line, all errors of the line as one text.
        reveals: by case, the revealed types in order.
        missing: why it could not run, or nothing.
    """

    errors: Mapping[str, Mapping[int, str]]
    reveals: Mapping[str, list[str]]
    missing: str = ""

    def caught(self, case: str) -> bool:
        """Whether an error with the marked words stands on a marked line of a case."""
        errors = self.errors.get(case, {})
        return any(text in errors.get(line, "") for line, texts in marks(case).items() for text in texts)


@cache
def marks(case: str) -> Mapping[int, tuple[str, ...]]:
    """The lines of a case where an error is expected, and the texts to look for in it, of which one is enough.

    A decorator and its function are both marked, since checkers differ in which of the two they name.
    """
    lines = (CASES / f"{case}.py").read_text(encoding="utf-8").splitlines()
    return {n: tuple(found["text"].split(" / ")) for n, line in enumerate(lines, 1) if (found := _MARK.search(line))}


@cache
def must_fail() -> tuple[str, ...]:
    """The cases that a checker should refuse."""
    return tuple(sorted(path.stem for path in CASES.glob("r*.py")))


@cache
def must_pass() -> tuple[str, ...]:
    """The cases that no checker may refuse."""
    return tuple(sorted(path.stem for path in CASES.glob("ok_*.py")))


@cache
def verdicts() -> Mapping[str, Said]:
    """The answers of all checkers, by name."""
    with ThreadPoolExecutor(2) as pool:
        return dict(zip([checker.name for checker in CHECKERS], pool.map(_said, CHECKERS), strict=True))


def _said(checker: Checker) -> Said:
    kept = _KEPT / f"{checker.name}-{_digest(checker)}.json"
    kept.parent.mkdir(parents=True, exist_ok=True)
    with (kept.parent / f"{checker.name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # another process of this test run may be at it
        return _read_or_run(checker, kept)


def _read_or_run(checker: Checker, kept: Path) -> Said:
    if kept.is_file():
        return _grouped([Line(*line) for line in json.loads(kept.read_text(encoding="utf-8"))])
    with tempfile.TemporaryDirectory() as folder:
        try:
            lines = checker.run(copied_cases(Path(folder)))
        except CannotStartError as error:
            return Said({}, {}, missing=str(error))
    for old in kept.parent.glob(f"{checker.name}-????????????????.json"):
        old.unlink(missing_ok=True)
    kept.write_text(json.dumps(lines), encoding="utf-8")
    return _grouped(lines)


def _digest(checker: Checker) -> str:
    """Of all that the answer depends on: the cases, the library, the configuration and the version."""
    taken = hashlib.sha256(f"{checker.pyproject}{checker.command[1:]}{version(_package(checker))}".encode())
    for path in sorted([*CASES.glob("*.py"), *(ROOT / "ctxcontracts").rglob("*.py"), Path(__file__)]):
        taken.update(path.name.encode() + b"\0" + path.read_bytes())
    return taken.hexdigest()[:16]


def _package(checker: Checker) -> str:
    return checker.name.partition("-")[0]


def _grouped(lines: list[Line]) -> Said:
    errors: dict[str, dict[int, str]] = {}
    reveals: dict[str, list[str]] = {}
    for line in lines:
        case = Path(line.file).stem
        if line.kind == "reveal":
            reveals.setdefault(case, []).append(line.text)
        elif line.kind == "error":
            of_case = errors.setdefault(case, {})
            of_case[line.number] = f"{of_case.get(line.number, '')}{line.text}\n"
    return Said(errors, reveals)
