"""What git ignores, and what no linter wants: nested `.gitignore` files, default and configured excludes.

The last file that says anything about a path wins, as in git: a nested `.gitignore` can take back (`!keep.py`)
what an outer one ignored, but not below a folder that is itself ignored, since a walk never enters it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ctxlint.errors import UsageError

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

IGNORE_NAME = ".gitignore"

# Folders that hold other people's code, copies of this code, or tests: those feed everything to everything, so that
# text seems to flow where the program never lets it. They are linted where they are named themselves.
DEFAULT_EXCLUDES = frozenset(
    {
        ".bzr", ".direnv", ".eggs", ".git", ".hg", ".ipynb_checkpoints", ".mypy_cache", ".nox", ".pants.d",
        ".pytest_cache", ".pytype", ".ruff_cache", ".svn", ".tox", ".venv", "__pycache__", "__pypackages__",
        "_build", "node_modules", "test", "tests", "venv",
    }
)  # fmt: skip


class PatternError(UsageError):
    """A pattern is not in gitignore syntax."""


@dataclass(frozen=True, slots=True)
class IgnoreFile:
    """The patterns of one file; they speak of paths below `folder` (absolute)."""

    folder: Path
    spec: GitIgnoreSpec


@dataclass(frozen=True, slots=True)
class Ignores:
    """The ignore files that hold for one folder, the outermost first. Immutable: a walk narrows it going down."""

    files: tuple[IgnoreFile, ...] = ()

    def entering(self, folder: Path) -> Ignores:
        """These ignores and those of the `.gitignore` that lies in `folder`, if there is one.

        Raises:
            OSError: when the `.gitignore` exists and cannot be read.
        """
        path = folder / IGNORE_NAME
        if not path.is_file():
            return self
        lines = path.read_bytes().decode("utf-8", "replace").splitlines()
        try:
            spec = compiled(lines)
        except PatternError:
            spec = compiled([line for line in lines if _is_pattern(line)])  # as git does
        return Ignores((*self.files, IgnoreFile(folder, spec)))

    def ignored(self, path: Path, *, folder: bool) -> bool:
        """Whether the innermost file with an opinion ignores `path`."""
        for file in reversed(self.files):
            name = path.relative_to(file.folder).as_posix()
            verdict = file.spec.check_file(f"{name}/" if folder else name).include
            if verdict is not None:
                return verdict
        return False


def compiled(lines: Sequence[str]) -> GitIgnoreSpec:
    """The patterns of `lines` in gitignore syntax.

    Raises:
        UsageError: when pathspec is not installed.
        PatternError: when a line is no pattern.
    """
    try:
        from pathspec import GitIgnoreSpec  # noqa: PLC0415 - 50 ms that a folder without ignore files never pays
    except ImportError as error:
        raise UsageError(
            "a .gitignore or an exclude pattern can be read only with pathspec, which is not installed; "
            'run: pip install "ctxcontracts[lint]"'
        ) from error
    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError as error:
        raise PatternError(f"an exclude pattern is not in gitignore syntax: {error}") from error


def _is_pattern(line: str) -> bool:
    try:
        compiled([line])
    except PatternError:
        return False
    return True


def outer_ignores(root: Path) -> Ignores:
    """The ignores of the repository around `root`, `root`'s own `.gitignore` left out.

    A folder that the user named and that git ignores is linted all the same: then the outer files say nothing.
    """
    outer = [*root.parents]
    inside = next((i for i, folder in enumerate(outer) if (folder / ".git").exists()), None)
    if inside is None or (root / ".git").exists():
        return Ignores()
    ignores = Ignores()
    for folder in reversed(outer[: inside + 1]):
        try:
            ignores = ignores.entering(folder)
        except OSError:
            continue  # not below the linted folder, so not ours to report
    below = (root, *outer[:inside])
    if any(ignores.ignored(folder, folder=True) for folder in below):
        return Ignores()
    return ignores
