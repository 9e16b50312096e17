"""The command `ctxlint`.

Exit codes: 0 nothing at or above `--fail-on`, 1 findings, 2 the run could not be made. `--version` imports next to
nothing; everything else is imported where it is first needed.
"""

from __future__ import annotations

import gc
import os
import sys

from ctxlint.errors import CtxlintError, InternalError
from ctxlint.version import __version__, compiled

TYPE_CHECKING = False  # see ctxlint/__init__.py
if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from ctxlint.arguments import Arguments
    from ctxlint.check import Options
    from ctxlint.config import Config
    from ctxlint.outcome import Outcome

OK, FINDINGS, FAILED, INTERRUPTED = 0, 1, 2, 130


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command and return its exit code.

    Args:
        arguments: the command line without the program's name; None for the process's own.
    """
    if arguments is not None:
        return _main(list(arguments))
    # The process ends with the run, and the system takes its memory back faster than a collection would.
    gc.disable()
    try:
        return _main(sys.argv[1:])
    finally:
        gc.freeze()


def _main(words: list[str]) -> int:
    if words == ["--version"]:
        _print(f"ctxlint {__version__} ({'compiled' if compiled() else 'pure Python'})\n")
        return OK
    from ctxlint.arguments import parsed  # noqa: PLC0415 - argparse takes longer than --version does

    try:
        asked = parsed(words)
        return _explain(asked.explain) if asked.explain is not None else _lint(asked)
    except SystemExit as stop:
        return stop.code if isinstance(stop.code, int) else FAILED
    except CtxlintError as error:
        sys.stderr.write(f"ctxlint: {error}{_where(error)}\n")
        return FAILED
    except KeyboardInterrupt:
        sys.stderr.write("ctxlint: interrupted\n")
        return INTERRUPTED
    except Exception:  # noqa: BLE001 - Python's own exit code for this is 1, which says "findings"
        import traceback  # noqa: PLC0415 - rare

        sys.stderr.write(f"{traceback.format_exc()}ctxlint: this is a fault of ctxlint; please report it\n")
        return FAILED


def _lint(asked: Arguments) -> int:
    from ctxlint.check import run  # noqa: PLC0415 - see the module

    config = _config(asked)
    outcome = run(asked.paths, config, options=_options(asked))
    if asked.output is None:
        _print(_report(asked, outcome, colour=_colour(), width=_width()))
    else:
        from ctxlint.report.destination import write  # noqa: PLC0415 - tempfile

        write(asked.output, _report(asked, outcome, colour=False, width=100))
    if asked.statistics:
        from ctxlint.report import statistics  # noqa: PLC0415 - see the module

        sys.stderr.write(statistics(outcome))
    failed = any(config.fail_on.fails(finding.severity) for finding in outcome.findings)
    return FINDINGS if failed else OK


def _config(asked: Arguments) -> Config:
    """The settings of the linted folder, overlaid by the command line."""
    from dataclasses import replace  # noqa: PLC0415 - see the module

    from ctxlint.config import FailOn, find_config, selected  # noqa: PLC0415
    from ctxlint.discover import linted_folder  # noqa: PLC0415
    from ctxlint.finding import Confidence  # noqa: PLC0415

    config = find_config(linted_folder(asked.paths))
    if asked.select is not None:
        config = replace(config, select=selected(asked.select, origin="--select"))
    if asked.fail_on is not None:
        config = replace(config, fail_on=FailOn(asked.fail_on))
    if asked.min_confidence is not None:
        config = replace(config, min_confidence=Confidence(asked.min_confidence))
    return config


def _options(asked: Arguments) -> Options:
    from ctxlint.check import Options as Means  # noqa: PLC0415 - see the module

    if asked.jobs is None:
        return Means(cache=asked.cache)
    return Means(cache=asked.cache, jobs=asked.jobs)


def _report(asked: Arguments, outcome: Outcome, *, colour: bool, width: int) -> str:
    from ctxlint.report import Format, render  # noqa: PLC0415 - see the module
    from ctxlint.report.paint import Paint  # noqa: PLC0415

    return render(outcome, Format(asked.form), paint=Paint(colour=colour), prefix=_prefix(outcome.root), width=width)


def _explain(name: str) -> int:
    from ctxlint.config import selected  # noqa: PLC0415 - see the module
    from ctxlint.rules import RULES  # noqa: PLC0415
    from ctxlint.unreadable import (  # noqa: PLC0415
        UNREADABLE_CODE,
        UNREADABLE_DOCS,
        UNREADABLE_SLUG,
        UNREADABLE_SUMMARY,
    )

    if name.upper() == UNREADABLE_CODE or name == UNREADABLE_SLUG:
        _print(f"{UNREADABLE_CODE} {UNREADABLE_SLUG}: {UNREADABLE_SUMMARY}\n\n{UNREADABLE_DOCS}")
        return OK
    for code in sorted(selected(name, origin="--explain")):
        rule = RULES[code]
        _print(f"{rule.code} {rule.slug}: {rule.summary}\n\n{rule.docs}\n")
    return OK


def _prefix(root: Path) -> str:
    """What a path of the report needs in front so that it can be opened from the current folder."""
    relative = os.path.relpath(root)
    if relative == os.curdir:
        return ""
    outside = relative.startswith(os.pardir + os.sep + os.pardir)
    return f"{root if outside else relative}{os.sep}"


def _colour() -> bool:
    if os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb":
        return False
    return bool(os.environ.get("FORCE_COLOR")) or sys.stdout.isatty()


def _width() -> int:
    if not sys.stdout.isatty():
        return 100
    from shutil import get_terminal_size  # noqa: PLC0415 - only a terminal has a size

    return min(120, max(60, get_terminal_size((100, 24)).columns))


def _print(text: str) -> None:
    """Write to standard output. A reader that has seen enough (`| head`) is no error."""
    try:
        data = text.encode(sys.stdout.encoding or "utf-8", "replace").decode(sys.stdout.encoding or "utf-8")
        sys.stdout.write(data)
        sys.stdout.flush()
    except BrokenPipeError:
        # Python flushes standard output once more at exit; without this that would fail, loudly.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _where(error: CtxlintError) -> str:
    """For a fault of ours: the place in our code, which a report of it needs."""
    trace = error.__cause__.__traceback__ if error.__cause__ is not None else None
    if trace is None or not isinstance(error, InternalError):
        return ""
    while trace.tb_next is not None:
        trace = trace.tb_next
    return f" (at {os.path.basename(trace.tb_frame.f_code.co_filename)}:{trace.tb_lineno})"  # noqa: PTH119 - no pathlib
