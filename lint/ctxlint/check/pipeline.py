"""The stages of a run, in order."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ctxlint.check.remembered import Memory
from ctxlint.check.sources import texts_of
from ctxlint.check.watch import Watch
from ctxlint.config import Config
from ctxlint.discover import discover
from ctxlint.load import Options
from ctxlint.load.lowering import gc_paused
from ctxlint.outcome import Measures, Outcome


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
    watch = Watch()
    with watch.stage("discover"):
        found = discover(paths, exclude=config.exclude)
    memory = Memory(found, config, options)
    known = memory.recall()
    if known is None:
        from ctxlint.check.search import searched  # noqa: PLC0415 - the engine, which most runs can do without

        known, used = searched(found, config, options, watch)
        memory.keep(known, used)
        cached = watch.cached
    else:
        cached = len(found.sources)
    texts = texts_of([*known.findings, *(taken.finding for taken in known.suppressed)], (), found, options)
    measures = Measures(len(found.sources), known.lines, cached, known.sites, watch.seconds)
    return Outcome(found.root, known.findings, known.suppressed, texts, measures, known.unsure)
