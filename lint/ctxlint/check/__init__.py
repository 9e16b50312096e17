"""Run the linter: discover, load, solve, apply rules and suppressions.

    run([Path("app")], Config())  ->  Outcome(root, findings, suppressed, texts, measures)

Nothing that is linted is imported or executed; it is read as text only.
"""

from __future__ import annotations

from ctxlint.check.pipeline import run
from ctxlint.load import Options

__all__ = ["Options", "run"]
