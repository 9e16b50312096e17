"""What a walk finds."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from ctxlint.finding import Finding


@dataclass(frozen=True, slots=True)
class SourceFile:
    """A Python file. `path` is relative to the linted folder, with `/`; `size` was true when it was found."""

    path: str
    location: Path
    size: int


@dataclass(frozen=True, slots=True)
class TextFile:
    """A file that may hold a prompt. It is read only if some code names it."""

    path: str
    location: Path


@dataclass(frozen=True, slots=True)
class Discovery:
    """The files of a run, sorted by path, and a CTX901 finding for each thing that could not be listed."""

    root: Path
    sources: tuple[SourceFile, ...]
    texts: tuple[TextFile, ...]
    unreadable: tuple[Finding, ...]
