"""What ctxlint reports of the typing cases."""

from __future__ import annotations

from functools import cache

from ctxlint.check import run
from ctxlint.config import Config

from tests.support.type_checkers import CASES


@cache
def findings() -> dict[str, set[str]]:
    """The codes of the findings in each case, every case being linted alone."""
    found: dict[str, set[str]] = {}
    for path in sorted(CASES.glob("*.py")):
        outcome = run([path], Config())
        found[path.stem] = {finding.code for finding in outcome.findings}
    return found


def reported(case: str) -> bool:
    """Whether a finding stands in a case."""
    return bool(findings()[case])
