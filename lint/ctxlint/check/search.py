"""The stages of a run over what has changed: load, solve, apply rules and suppressions.

A run that is remembered does without, and without importing them.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from contextlib import contextmanager
from dataclasses import replace

from ctxlint.check.remembered import Remembered
from ctxlint.check.sources import texts_of
from ctxlint.check.watch import Watch
from ctxlint.config import Config
from ctxlint.discover import Discovery
from ctxlint.errors import CtxlintError, InternalError
from ctxlint.finding import Finding
from ctxlint.load import Options, TextFiles, load, open_cache
from ctxlint.models import load_models
from ctxlint.rules import check, unused_suppressions
from ctxlint.suppress import apply
from ctxlint.taint import Solution, solve
from ctxlint.unreadable import unreadable

_DEPTH = 5_000


def searched(found: Discovery, config: Config, options: Options, watch: Watch) -> tuple[Remembered, list[str]]:
    """What is found in files that have changed since the last run, and the prompt files that were read for it."""
    models = load_models(config.models)
    prompts = TextFiles(found.texts)
    with watch.stage("load"):
        loading = load(found.sources, cache=open_cache(enabled=options.cache), options=options)
        watch.cached = loading.cached
    with watch.stage("solve"), _ours("solving"), _deep():
        solution = solve(loading.sorted_modules(), models, prompts, speaks=loading.speaks)
    with watch.stage("rules"), _ours("the rules"):
        reported = check(solution, select=config.select)
    with watch.stage("suppress"):
        gaps = [*loading.unreadable, *found.unreadable]
        if solution.exhausted:
            gaps.append(_cut_short(solution))
        shown = [finding for finding in reported if finding.confidence.at_least(config.min_confidence)]
        findings = sorted([*shown, *gaps], key=lambda finding: finding.order)
        texts = texts_of(findings, loading.marked, found, options)
        verdicts = apply(findings, texts, [finding for finding in reported if finding not in shown])
        kept = verdicts.kept
        if verdicts.unused and not solution.exhausted:
            unused = unused_suppressions(verdicts.unused, config.select)
            kept = tuple(sorted([*kept, *unused], key=lambda finding: finding.order))
    unsure = len(reported) - len(shown)
    known = Remembered(kept, verdicts.suppressed, loading.lines, len(solution.sites), unsure)
    return known, prompts.read


def _cut_short(solution: Solution) -> Finding:
    """The report of a search that ended early, at the function that took most of it."""
    reason = "the step budget ended the search for paths, so findings may be missing"
    if solution.insight is None:
        return unreadable(".", reason)
    code, place = solution.insight.busiest()
    told = unreadable(place.path, f"{reason}; most of it was spent in {code.name}()", line=place.line)
    return replace(told, function=code.qualname)


@contextmanager
def _deep() -> Generator[None]:
    """Questions about values lead to further ones, in large classes through several hundred calls of ours.

    Python 3.11 and later keep the frames of such calls on the heap: the limit is there for endless recursion only.
    """
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)


@contextmanager
def _ours(stage: str) -> Generator[None]:
    """Tell a fault of ctxlint from a fault of its user.

    Raises:
        InternalError: when anything but an error of ours is raised inside.
    """
    try:
        yield
    except CtxlintError:
        raise
    except Exception as error:
        raise InternalError(f"ctxlint failed in {stage} ({type(error).__name__}); please report this") from error
