"""Run the linter: discover, load (cached, in workers where it pays), solve, apply rules and suppressions.

    run([Path("app")], Config())  ->  Outcome(root, findings, suppressed, texts, measures)

Nothing that is linted is imported or executed; it is read as text only.
"""

from __future__ import annotations

from ctxlint.check.options import Options
from ctxlint.check.pipeline import run

__all__ = ["Options", "run"]
