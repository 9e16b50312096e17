"""CTX901: what could not be analysed is said, never skipped in silence.

It is no rule over code, so it is found here and not by the rules, and no selection turns it off.
"""

from __future__ import annotations

import os

from ctxlint.finding import Confidence, Finding, Place, Severity

UNREADABLE_CODE = "CTX901"
UNREADABLE_SLUG = "unreadable-file"
UNREADABLE_SUMMARY = "A file or folder could not be analysed."
UNREADABLE_DOCS = """\
## What it does

Reports a file or folder that could not be analysed, and why: no permission, no regular file, an encoding that does
not fit, syntax that this Python does not know, more than the size or time that a file may take.

## Why is this bad?

A gap looks like a clean file. Derived text that passes through it is not followed.

## Use instead

Mend the file, run ctxlint with the Python version that the code is written for, or exclude the file in
`[tool.ctxlint]`, so that the gap is on record.
"""


def unreadable(path: str, reason: str, *, line: int = 1) -> Finding:
    """A CTX901 finding for the file or folder at `path`.

    Args:
        path: relative to the linted folder, with `/`.
        reason: why, in one line, without any text of the file.
        line: where the trouble is, when the parser knows.
    """
    return Finding(
        UNREADABLE_CODE,
        UNREADABLE_SLUG,
        f"not analysed: {reason}",
        Place(path, line, 0, line, 0),
        Severity.WARNING,
        Confidence.HIGH,
        advice="Mend the file, or exclude it in [tool.ctxlint] so that the gap is on record.",
    )


def os_reason(error: OSError) -> str:
    """The operating system's reason without the path that it prints (`Permission denied`)."""
    return os.strerror(error.errno) if error.errno else type(error).__name__
