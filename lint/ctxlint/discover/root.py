"""The linted folder: what every path of a report is relative to."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ctxlint.errors import UsageError


def linted_folder(paths: Sequence[Path]) -> Path:
    """The one folder among `paths` itself; else the current folder, or the nearest one that holds all of them.

    Raises:
        UsageError: when one of the paths does not exist, or there is none.
    """
    if not paths:
        raise UsageError("ctxlint was given no path; name a file or folder, such as `ctxlint .`")
    for path in paths:
        if not os.path.lexists(path):
            raise UsageError(f"{path} does not exist, so nothing was linted; name a file or folder that exists")
    absolute = [Path(os.path.abspath(path)) for path in paths]  # noqa: PTH100 - links must stay as the user wrote them
    folders = [path if path.is_dir() else path.parent for path in absolute]
    if len(absolute) == 1 and absolute[0].is_dir():
        return absolute[0]
    here = Path.cwd()
    if all(path.is_relative_to(here) for path in absolute):
        return here
    return Path(os.path.commonpath(folders))
