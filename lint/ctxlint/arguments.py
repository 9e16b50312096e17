"""The command line of `ctxlint`, parsed into plain values."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from ctxlint.version import __version__

_FORMATS = ("text", "sarif")
_LEVELS = ("error", "warning", "never")
_CONFIDENCES = ("low", "medium", "high")
_EPILOG = """\
exit codes:
  0  no finding at or above --fail-on
  1  findings
  2  the run could not be made

A finding is suppressed on its line, with a reason:
  # ctxlint: ignore[CTX001] the originals are read again from the store
Settings come from [tool.ctxlint] in pyproject.toml: select, exclude,
fail-on, min-confidence, models.

Folders that are called test or tests are left out unless they are named as
a path: `ctxlint src tests`.
"""


@dataclass(frozen=True, slots=True)
class Arguments:
    """What the command line asks for. None means that it says nothing, so that the configuration decides."""

    paths: tuple[Path, ...]
    form: str = "text"
    output: Path | None = None
    select: str | None = None
    jobs: int | None = None
    cache: bool = True
    fail_on: str | None = None
    min_confidence: str | None = None
    statistics: bool = False
    explain: str | None = None


def parsed(words: Sequence[str]) -> Arguments:
    """The arguments in `words`.

    Raises:
        SystemExit: with code 2 and a message on standard error when they make no sense; with 0 after `--help`.
    """
    parser = _parser()
    found = parser.parse_args(words)
    if not found.paths and found.explain is None:
        parser.error("name a file or folder to lint, such as `ctxlint .`")
    return Arguments(
        paths=tuple(found.paths),
        form=found.form,
        output=found.output,
        select=found.select,
        jobs=found.jobs,
        cache=found.cache,
        fail_on=found.fail_on,
        min_confidence=found.min_confidence,
        statistics=found.statistics,
        explain=found.explain,
    )


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="ctxlint",
        description="Find where a code base feeds summaries back into summarizers, and by which path.",
        epilog=_EPILOG,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    add = parser.add_argument
    add("paths", metavar="PATH", nargs="*", type=Path, help="file or folder; all of them are linted as one program")
    add("--format", dest="form", choices=_FORMATS, default="text", help="how findings are written (text)")
    add("--output", metavar="FILE", type=Path, help="write the report to FILE, whole or not at all")
    add("--select", metavar="CODES", help="only these rules: codes or slugs, separated by commas (CTX901 always)")
    add("--jobs", metavar="N", type=_count, help="processes that read files (as many as there are cores)")
    add("--no-cache", dest="cache", action="store_false", help="neither read nor write the cache")
    add("--fail-on", choices=_LEVELS, help="the mildest severity that makes the exit code 1 (error)")
    add("--min-confidence", choices=_CONFIDENCES, help="leave out findings that ctxlint is less sure of (medium)")
    add("--statistics", action="store_true", help="sizes, counts and seconds on standard error")
    add("--explain", metavar="CODE", help="print what a rule says, and end")
    add("--version", action="version", version=f"ctxlint {__version__}")
    return parser


def _count(word: str) -> int:
    number = int(word) if word.isdecimal() else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{word!r} is no number of processes; give 1 or more")
    return number
