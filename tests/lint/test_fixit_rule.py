"""The Fixit rules, run by Fixit's own test runner and by Fixit itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from ctxlint.fixit_rule import LaunderedText, ResummarizedSummary, SummaryHierarchy
from fixit.testing import LintRuleTestCase, gen_all_test_methods

CASES = [
    pytest.param(precursor.rule, case, id=f"{type(precursor.rule).__name__}-{name}")
    for precursor in gen_all_test_methods([LaunderedText(), ResummarizedSummary(), SummaryHierarchy()])
    for name, case in precursor.test_methods.items()
]
DRIFT = "def digest(llm, pages):\n    memo = ''\n    for page in pages:\n        memo = llm.summarize(memo + page)\n"


@pytest.mark.parametrize(("rule", "case"), CASES)
def test_fixits_own_cases_pass(rule: LaunderedText | ResummarizedSummary | SummaryHierarchy, case: object) -> None:
    """Each VALID case is clean, each INVALID case is reported."""
    LintRuleTestCase()._test_method(case, type(rule)())  # type: ignore[arg-type]


def test_both_kinds_of_case_exist() -> None:
    """The loop above has something to run."""
    names = {str(param.id).split("-")[1][5:] for param in CASES}
    assert {name.rsplit("_", 1)[0] for name in names} == {"VALID", "INVALID"}


def _fixit(folder: Path, source: str) -> subprocess.CompletedProcess[str]:
    (folder / "pyproject.toml").write_text(
        '[tool.fixit]\nroot = true\nenable = ["ctxlint.fixit_rule"]\ndisable = ["fixit.rules"]\n'
    )
    (folder / "memory.py").write_text(source)
    command = [sys.executable, "-m", "fixit", "lint", "memory.py"]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def test_fixit_runs_the_rules_by_their_module(tmp_path: Path) -> None:
    """Four lines of configuration are enough."""
    done = _fixit(tmp_path, DRIFT)
    assert "memory.py@4:15 ResummarizedSummary: CTX001" in done.stdout + done.stderr
    assert done.returncode == 1


@pytest.mark.parametrize(
    "comment", ["# lint-ignore: ResummarizedSummary", "# ctxlint: ignore[CTX001] reviewed"], ids=["fixit", "ctxlint"]
)
def test_suppressions_of_both_tools_count(tmp_path: Path, comment: str) -> None:
    """A code base needs one comment, not two."""
    done = _fixit(tmp_path, DRIFT.replace("+ page)", f"+ page)  {comment}"))
    assert "CTX001" not in done.stdout + done.stderr
    assert done.returncode == 0
