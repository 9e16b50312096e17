"""What type checkers say of each small program in `cases/`: errors exactly where `# E: TEXT` stands, if any."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import pytest

from tests.support.type_checkers import CASES, CHECKERS, Said, judged

KNOWN_MISSES: dict[str, list[str]] = tomllib.loads((CASES.parent / "known_misses.toml").read_text(encoding="utf-8"))
MUST_FAIL = sorted(path.stem for path in CASES.glob("r*.py"))
MUST_PASS = sorted(path.stem for path in CASES.glob("ok_*.py"))
LEAST_CAUGHT_OF_67 = {"mypy": 62, "pyright": 63}


@pytest.fixture(scope="module", params=CHECKERS)
def verdict(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Said]:
    return request.param, judged(request.param, tmp_path_factory.mktemp(request.param))


def marks(case: str) -> dict[int, str]:
    """The lines of a case where an error is expected, and the text to look for in it.

    A decorator and its function are both marked, since checkers differ in which of the two they name.
    """
    lines = (CASES / f"{case}.py").read_text(encoding="utf-8").splitlines()
    return {n: found[1] for n, line in enumerate(lines, 1) if (found := re.search(r"# E: (.+)$", line))}


def is_caught(case: str, said: Said) -> bool:
    errors = said.errors.get(f"{case}.py", {})
    return any(text in errors.get(line, "") for line, text in marks(case).items())


def test_checkers_judge_every_case_as_it_is_marked(verdict: tuple[str, Said]) -> None:
    """What must fail fails with the words on its line, what must pass is clean, and every known miss is still one."""
    checker, said = verdict
    wrong = {case: said.errors[f"{case}.py"] for case in [*MUST_PASS, "support"] if f"{case}.py" in said.errors}
    for case in MUST_FAIL:
        errors = said.errors.get(f"{case}.py", {})
        if is_caught(case, said) == (checker in KNOWN_MISSES.get(case, [])):
            wrong[case] = errors or {0: "not caught"}
        elif set(errors) - set(marks(case)):
            wrong[case] = errors
    assert not wrong

    first_design = [case for case in MUST_FAIL if not case.startswith("r5_")]
    assert len(first_design) == 67
    assert sum(is_caught(case, said) for case in first_design) >= LEAST_CAUGHT_OF_67[checker]

    reveals = {file: list(lines.values()) for file, lines in said.reveals.items()}
    assert set(reveals) == {"ok_contract_signatures.py", "ok_derives_signatures.py"}
    for types in reveals.values():
        plain, decorated = [written(text) for text in types[::2]], [written(text) for text in types[1::2]]
        assert plain == decorated


def written(message: str) -> str:
    """The type in the message of a `reveal_type`."""
    return re.sub(r'^.*? is "(.*)".*$', r"\1", message.strip(), flags=re.DOTALL)


@pytest.mark.parametrize("case", MUST_FAIL)
def test_a_must_fail_case_says_where_and_what(case: str) -> None:
    """Each names what it shows in its first line, and marks the lines with a text that a person would look for."""
    assert marks(case)
    assert Path(CASES / f"{case}.py").read_text(encoding="utf-8").startswith("# ")


def test_known_misses_name_cases_and_checkers_that_exist() -> None:
    """A typo in the table would hide a case."""
    assert set(KNOWN_MISSES) <= set(MUST_FAIL)
    assert {checker for checkers in KNOWN_MISSES.values() for checker in checkers} <= set(CHECKERS)


def test_all_cases_of_the_first_design_are_here() -> None:
    """67 programs that must fail and 26 that must pass came with the design; some were added."""
    assert len(MUST_PASS) >= 26
    assert len(MUST_FAIL) >= 67
