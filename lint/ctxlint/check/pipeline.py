"""The stages of a run, in order."""

from __future__ import annotations

import sys
import time
from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from pathlib import Path

from ctxlint.check.remembered import Memory, Remembered
from ctxlint.config import Config
from ctxlint.discover import Discovery, discover
from ctxlint.errors import CtxlintError, InternalError, UnreadableError
from ctxlint.finding import Finding
from ctxlint.load import Options, TextFiles, load, open_cache
from ctxlint.load.lowering import gc_paused, read
from ctxlint.models import load_models
from ctxlint.outcome import Measures, Outcome
from ctxlint.rules import check, unused_suppressions
from ctxlint.suppress import apply
from ctxlint.syntax.parse import decode
from ctxlint.taint import solve
from ctxlint.unreadable import unreadable

_DEPTH = 5_000


def run(paths: Sequence[Path], config: Config, *, options: Options | None = None) -> Outcome:
    """Lint `paths` as one program: text that leaves one file and comes back through another is followed.

    Args:
        paths: files and folders; a file that is named itself is linted whatever its name.
        config: what to look for and where.
        options: how to work; the findings do not depend on it.

    Raises:
        UsageError: when a path, pattern, rule or model does not exist or cannot be used.
        InternalError: when ctxlint itself fails on the program as a whole.
    """
    # From the first file to the last finding: a collection in between would visit all that was lowered.
    with gc_paused():
        return _run(paths, config, options or Options())


def _run(paths: Sequence[Path], config: Config, options: Options) -> Outcome:
    watch = _Watch()
    with watch.stage("discover"):
        found = discover(paths, exclude=config.exclude)
    memory = Memory(found, config, options)
    known = memory.recall()
    if known is None:
        known, used = _searched(found, config, options, watch)
        memory.keep(known, used)
        cached = watch.cached
    else:
        cached = len(found.sources)
    texts = _texts([*known.findings, *(taken.finding for taken in known.suppressed)], (), found, options)
    measures = Measures(len(found.sources), known.lines, cached, known.sites, watch.seconds)
    return Outcome(found.root, known.findings, known.suppressed, texts, measures, known.unsure)


def _searched(found: Discovery, config: Config, options: Options, watch: _Watch) -> tuple[Remembered, list[str]]:
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
            gaps.append(unreadable(".", "the step budget ended the search for paths, so findings may be missing"))
        shown = [finding for finding in reported if finding.confidence.at_least(config.min_confidence)]
        findings = sorted([*shown, *gaps], key=lambda finding: finding.order)
        texts = _texts(findings, loading.marked, found, options)
        verdicts = apply(findings, texts, [finding for finding in reported if finding not in shown])
        kept = verdicts.kept
        if verdicts.unused and not solution.exhausted:
            unused = unused_suppressions(verdicts.unused, config.select)
            kept = tuple(sorted([*kept, *unused], key=lambda finding: finding.order))
    unsure = len(reported) - len(shown)
    known = Remembered(kept, verdicts.suppressed, loading.lines, len(solution.sites), unsure)
    return known, prompts.read


class _Watch:
    """Seconds by stage, and how many files came from the cache."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.cached = 0

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = time.perf_counter() - start


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


def _texts(findings: Iterable[Finding], marked: Iterable[str], found: Discovery, options: Options) -> dict[str, str]:
    """The source of every file that a finding points into or that is `marked`, where it can still be read."""
    wanted: set[str] = {*marked}
    for finding in findings:
        wanted.add(finding.place.path)
        wanted.update(step.place.path for flow in finding.flows for step in flow)
        wanted.update(related.place.path for related in finding.related)
    locations = {file.path: file.location for file in found.sources}
    texts: dict[str, str] = {}
    for path in sorted(wanted & locations.keys()):
        try:
            texts[path] = decode(read(locations[path], limit=options.file_bytes))
        except UnreadableError:
            continue
    return texts
