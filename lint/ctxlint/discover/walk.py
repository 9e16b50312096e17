"""Walk the given paths, in one order, without following links into folders."""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path

from ctxlint.discover.files import Discovery, SourceFile, TextFile
from ctxlint.discover.ignore import DEFAULT_EXCLUDES, IGNORE_NAME, IgnoreFile, Ignores, compiled, outer_ignores
from ctxlint.discover.root import linted_folder
from ctxlint.finding import Finding
from ctxlint.unreadable import os_reason, unreadable

PYTHON_SUFFIX = ".py"
# What prompts are kept in when they are not kept in code.
TEXT_SUFFIXES = frozenset(
    {".hbs", ".j2", ".jinja", ".jinja2", ".json", ".liquid", ".md", ".mustache", ".prompt", ".prompty", ".tmpl"}
    | {".toml", ".tpl", ".txt", ".yaml", ".yml"}
)

_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


def discover(paths: Sequence[Path], *, exclude: Sequence[str] = ()) -> Discovery:
    """The Python files under `paths`; a file that is named itself is always taken, whatever its name.

    Args:
        paths: files and folders; a link among them is followed, links below them are followed to files only.
        exclude: further patterns in gitignore syntax, relative to the linted folder.

    Raises:
        UsageError: when a path does not exist, or a pattern is not in gitignore syntax.
    """
    root = linted_folder(paths)
    walk = _Walk(root, Ignores((IgnoreFile(root, compiled(exclude)),)) if exclude else Ignores())
    for path in paths:
        absolute = Path(os.path.abspath(path))  # noqa: PTH100 - links stay as written
        if absolute.is_dir():
            walk.folder(absolute, outer_ignores(absolute))
        else:
            walk.file(absolute)
    return walk.result()


class _Walk:
    """One walk in progress. Each file is kept once, however many paths lead to it."""

    def __init__(self, root: Path, excludes: Ignores) -> None:
        self.root = root
        self.excludes = excludes
        self.sources: dict[str, SourceFile] = {}
        self.texts: dict[str, TextFile] = {}
        self.troubles: dict[str, Finding] = {}
        self.links: dict[str, tuple[int, int]] = {}
        self.regular: set[tuple[int, int]] = set()

    def folder(self, top: Path, ignores: Ignores) -> None:
        """Take everything below `top`. A stack, not recursion: folders nest deeper than Python does."""
        pending = [(top, ignores)]
        while pending:
            folder, outer = pending.pop()
            try:
                with os.scandir(folder) as listing:
                    entries = sorted(listing, key=lambda entry: entry.name)
            except OSError as error:
                self.trouble(folder, os_reason(error))
                continue
            inner = self._inner(folder, outer) if any(e.name == IGNORE_NAME for e in entries) else outer
            pending.extend((Path(entry.path), inner) for entry in reversed(entries) if self._enter(entry, inner))
            for entry in entries:
                self._entry(entry, inner)

    def _inner(self, folder: Path, outer: Ignores) -> Ignores:
        try:
            return outer.entering(folder)
        except OSError as error:
            self.trouble(folder / IGNORE_NAME, os_reason(error))
            return outer

    def _enter(self, entry: os.DirEntry[str], ignores: Ignores) -> bool:
        if entry.name in DEFAULT_EXCLUDES or not _is_folder(entry):
            return False
        path = Path(entry.path)
        return not (ignores.ignored(path, folder=True) or self.excludes.ignored(path, folder=True))

    def _entry(self, entry: os.DirEntry[str], ignores: Ignores) -> None:
        suffix = os.path.splitext(entry.name)[1]  # noqa: PTH122 - a Path for each entry doubles the walk's time
        if suffix != PYTHON_SUFFIX and suffix not in TEXT_SUFFIXES:
            return
        if _is_folder(entry) or _leads_to_folder(entry):
            return
        path = Path(entry.path)
        if ignores.ignored(path, folder=False) or self.excludes.ignored(path, folder=False):
            return
        if suffix == PYTHON_SUFFIX:
            self.file(path)
        else:
            name = self.name(path)
            self.texts[name] = TextFile(name, path)

    def file(self, path: Path) -> None:
        """Take a Python file, or say why it cannot be one."""
        try:
            state = path.stat()
        except OSError as error:
            self.trouble(path, os_reason(error))
            return
        kind = next((name for test, name in _KINDS if test(state.st_mode)), None)
        if kind is not None:
            self.trouble(path, f"it is {kind}, not a file")
            return
        name = self.name(path)
        identity = (state.st_dev, state.st_ino)
        if path.is_symlink():
            self.links[name] = identity
        else:
            self.regular.add(identity)
        self.sources[name] = SourceFile(name, path, state.st_size)

    def name(self, path: Path) -> str:
        """The path as reports print it."""
        return path.relative_to(self.root).as_posix()

    def trouble(self, path: Path, reason: str) -> None:
        """Keep a CTX901 finding for `path`."""
        name = self.name(path)
        self.troubles[name] = unreadable(name, reason)

    def result(self) -> Discovery:
        """What was found, in order. A link to a file that is linted under its own name is left out."""
        twins = {name for name, identity in self.links.items() if identity in self.regular}
        return Discovery(
            self.root,
            tuple(self.sources[name] for name in sorted(self.sources) if name not in twins),
            tuple(self.texts[name] for name in sorted(self.texts)),
            tuple(self.troubles[name] for name in sorted(self.troubles)),
        )


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_symlink() and entry.is_dir()
    except OSError:
        return False  # a link that leads nowhere: `file` says so
