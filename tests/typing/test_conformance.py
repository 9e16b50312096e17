"""What type checkers say of each small program in `cases/`: errors exactly where `# E: TEXT` stands, if any."""

from __future__ import annotations

import re
import tomllib
from dataclasses import replace
from pathlib import Path

import pytest

from tests.support.type_checkers import CASES, CHECKERS, CannotStartError, skip_or_fail
from tests.support.verdicts import Said, marks, must_fail, must_pass, verdicts

NAMES = [checker.name for checker in CHECKERS]
TYPES = [name for name in NAMES if name != "mypy-plugin"]
_LISTED: dict[str, list[str]] = tomllib.loads((CASES.parent / "known_misses.toml").read_text(encoding="utf-8"))
KNOWN_MISSES = {case: {"types": TYPES, "all": NAMES}.get(by[0], by) for case, by in _LISTED.items()}
FIRST_DESIGN = [case for case in must_fail() if case[:2] in {"r1", "r2", "r3", "r4"}]
LEAST_CAUGHT_OF_67 = {"mypy-plugin": 66, "pyrefly": 60, "zuban": 60}


@pytest.fixture(scope="module", params=NAMES)
def said(request: pytest.FixtureRequest) -> tuple[str, Said]:
    answer = verdicts()[request.param]
    if answer.missing:
        skip_or_fail(answer.missing)
    return request.param, answer


def test_what_must_pass_is_clean(said: tuple[str, Said]) -> None:
    """A right program gets no error from any checker, nor does what all cases share."""
    _, answer = said
    assert {case: answer.errors[case] for case in [*must_pass(), "support"] if case in answer.errors} == {}


def test_what_must_fail_fails_where_it_is_marked(said: tuple[str, Said]) -> None:
    """Each fault is named with the words on its line, nothing else is, and every known miss is still one."""
    name, answer = said
    wrong = {}
    for case in must_fail():
        errors = answer.errors.get(case, {})
        if answer.caught(case) == (name in KNOWN_MISSES.get(case, [])):
            wrong[case] = errors or {0: "not caught"}
        elif set(errors) - set(marks(case)):
            wrong[case] = errors
    assert wrong == {}


def test_the_first_design_is_caught_as_well_as_it_was(said: tuple[str, Said]) -> None:
    """Of the 67 programs that came with the design each checker catches at least what the design promised."""
    name, answer = said
    assert sum(map(answer.caught, FIRST_DESIGN)) >= LEAST_CAUGHT_OF_67.get(name, 62)


def test_decorators_keep_every_signature(said: tuple[str, Said]) -> None:
    """Names, defaults, keyword-only parameters, ParamSpec and `async` read the same with and without a contract."""
    _, answer = said
    pairs = {case: len(types) / 2 for case, types in answer.reveals.items()}
    assert pairs == {"ok_buffer_signatures": 6, "ok_contract_signatures": 5, "ok_derives_signatures": 5}
    for types in answer.reveals.values():
        assert [written(text) for text in types[::2]] == [written(text) for text in types[1::2]]


def written(message: str) -> str:
    """The type in the message of a `reveal_type`, whichever class it is a method of."""
    message = re.sub(r"\b(Plain|ContextBuffer)\b", "...", message)
    message = re.sub(r"(\*+)(?:args: |kwargs: )P\.", r"\1P.", message)  # zuban names them in one of the two
    return re.sub(
        r'^Type of ".*?" is |^Revealed type:? (?:is )?|^revealed type: ', "", message.strip(), flags=re.DOTALL
    )


@pytest.mark.parametrize("case", must_fail())
def test_a_must_fail_case_says_where_and_what(case: str) -> None:
    """Each names what it shows in its first line, and marks the lines with a text that a person would look for."""
    assert marks(case)
    assert (CASES / f"{case}.py").read_text(encoding="utf-8").startswith("# ")


@pytest.mark.parametrize("case", [c for c in must_fail() if c not in FIRST_DESIGN])
def test_a_case_that_was_added_names_the_case_it_differs_from(case: str) -> None:
    """So that the suite grows by behaviours of checkers, not by numbers."""
    second = (CASES / f"{case}.py").read_text(encoding="utf-8").splitlines()[1]
    found = re.match(r"# differs from (\w+): \S+", second)
    assert found
    assert (CASES / f"{found[1]}.py").is_file()
    assert found[1] != case


def test_known_misses_name_cases_and_checkers_that_exist() -> None:
    """A typo in the table would hide a case."""
    assert set(KNOWN_MISSES) <= set(must_fail())
    assert {checker for checkers in KNOWN_MISSES.values() for checker in checkers} <= set(NAMES)


def test_all_cases_of_the_first_design_are_here() -> None:
    """67 programs that must fail and 26 that must pass came with the design; some were added."""
    added = [case for case in must_pass() if "# differs from " in (CASES / f"{case}.py").read_text(encoding="utf-8")]
    assert len(FIRST_DESIGN) == 67
    assert len(must_pass()) - len(added) == 26


@pytest.mark.parametrize("ci", ["", "true"])
def test_a_checker_that_cannot_start_is_an_error_in_ci(
    ci: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Elsewhere it is a skip; both say why."""
    gone = replace(CHECKERS[0], command=(str(tmp_path / "nowhere"),))
    with pytest.raises(CannotStartError, match="nowhere") as missing:
        gone.run(tmp_path)
    monkeypatch.setenv("CI", ci)
    outcome = pytest.fail.Exception if ci else pytest.skip.Exception
    with pytest.raises(outcome, match="nowhere"):
        skip_or_fail(str(missing.value))
