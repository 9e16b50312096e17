"""CTX901: what could not be analysed is said, never skipped in silence."""

from __future__ import annotations

import os

from ctxlint.finding import Confidence, Finding, Place, Severity

UNREADABLE_CODE = "CTX901"
UNREADABLE_SLUG = "unreadable-file"


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
        advice="mend the file, or exclude it in [tool.ctxlint] so that the gap is on record",
    )


def os_reason(error: OSError) -> str:
    """The operating system's reason without the path that it prints (`Permission denied`)."""
    return os.strerror(error.errno) if error.errno else type(error).__name__
