"""The linter's specification: every program in the Markdown files beside this test."""

from __future__ import annotations

from collections import defaultdict
from pathlib import Path

import libcst
import pytest
from ctxlint import check_module
from ctxlint.check import Options, run
from ctxlint.config import Config
from ctxlint.finding import Finding
from ctxlint.rules import RULES

from tests.support.lint_markdown import DEFAULT_FILE, Mark, Program, programs

HERE = Path(__file__).parent
PROGRAMS = [program for path in sorted(HERE.rglob("*.md")) for program in programs(path)]
_NO_CALLS = frozenset({"CTX003", "CTX006", "CTX102", "CTX900"})
"""Rules whose findings stand at displays, texts, assignments and comments."""
QUIET = Options(jobs=1, cache=False)


def _id(program: Program) -> str:
    return f"{program.source.relative_to(HERE)}-{program.heading}"


def _single(program: Program) -> bool:
    return set(program.files) == {DEFAULT_FILE}


def _select(program: Program) -> frozenset[str] | None:
    """The rule of a page, where it is one that is not on by default."""
    asked = {code for code, rule in RULES.items() if rule.slug == program.source.stem and not rule.default}
    return frozenset(asked) or None


def _found(program: Program, folder: Path) -> tuple[Finding, ...]:
    program.write(folder)
    return run([folder], Config(select=_select(program)), options=QUIET).findings


def _difference(program: Program, findings: tuple[Finding, ...]) -> str:
    """What is missing and what is too much, as a person would write it; empty when all is as marked."""
    found = {Mark(f.place.path, f.place.line, f.code) for f in findings}
    related = {Mark(r.place.path, r.place.line, f.code) for f in findings for r in f.related}
    missing = [f"not found: {mark}" for mark in sorted(program.findings - found)]
    extra = [f"not marked: {mark}" for mark in sorted(found - program.findings)]
    unrelated = [f"not related: {mark}" for mark in sorted(program.related - related)]
    return "\n".join([*missing, *extra, *unrelated])


@pytest.mark.parametrize("program", PROGRAMS, ids=_id)
def test_the_program_gives_exactly_the_marked_findings(program: Program, tmp_path: Path) -> None:
    """A reader of the Markdown file can rely on its marks."""
    difference = _difference(program, _found(program, tmp_path))
    if program.known_wrong:
        assert difference, f"{program.source}:{program.line} is right now: remove its `known wrong` comment"
    else:
        assert not difference, f"{program.source}:{program.line}\n{difference}"


@pytest.mark.parametrize("program", [p for p in PROGRAMS if _single(p)], ids=_id)
def test_engine_and_libcst_rule_agree(program: Program, tmp_path: Path) -> None:
    """The rule over a libcst module finds the same calls as the command over the same file."""
    engine = {(f.code, f.place.line, f.place.column) for f in _found(program, tmp_path)}
    module = libcst.parse_module(program.files[DEFAULT_FILE])
    rule = check_module(module, path=DEFAULT_FILE, select=_select(program))
    assert {(n.finding.code, n.finding.place.line, n.finding.place.column) for n in rule} == engine
    nodes = [n.node for n in rule if n.finding.code not in _NO_CALLS]
    assert all(isinstance(node, libcst.Call | libcst.Await) for node in nodes)


def test_clean_programs_are_at_least_two_for_every_three_flagged() -> None:
    """Silence is specified as carefully as findings are."""
    flagged: dict[Path, int] = defaultdict(int)
    clean: dict[Path, int] = defaultdict(int)
    for program in PROGRAMS:
        (flagged if program.findings else clean)[program.source.parent] += 1
    thin = {
        str(folder): (clean[folder], flagged[folder]) for folder in flagged if 3 * clean[folder] < 2 * flagged[folder]
    }
    assert not thin
