"""The findings of whole runs, by everything that decides them: a run over what has not changed reads and looks up.

    the files as they are, in one digest    the settings and models    this very ctxlint and this Python
    -> one entry: the findings, and the prompt files that were read, each with its digest

An entry is read by an unpickler that can build findings and nothing else. Whoever can write into the cache folder can
still plant one that says "no findings", as with the IR (`docs/design/lint-cache.md`).
"""

from __future__ import annotations

import hashlib
import os
import pickle
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path

from ctxlint import finding, suppress
from ctxlint.config import Config
from ctxlint.discover import Discovery
from ctxlint.errors import UnreadableError
from ctxlint.finding import Finding
from ctxlint.ir import IR_VERSION
from ctxlint.load import Options
from ctxlint.load.cache import cache_folder, framed, payload_of, write_whole
from ctxlint.load.lowering import read
from ctxlint.load.texts import TEXT_BYTES
from ctxlint.suppress import Suppressed
from ctxlint.version import __version__

_PASSING = ("took longer", "crashed", "more memory", "ran out of memory", "vanished", "no longer a file")
"""What another run over the same files may not say again."""
_CLASSES: Mapping[tuple[str, str], object] = {
    (module.__name__, name): getattr(module, name)
    for module, names in (
        (finding, ("Confidence", "Finding", "Place", "Related", "Severity", "Step", "StepRole")),
        (suppress, ("Suppressed",)),
    )
    for name in names
}


@dataclass(frozen=True, slots=True)
class Remembered:
    """What a run found, apart from what is read from the files again."""

    findings: tuple[Finding, ...]
    suppressed: tuple[Suppressed, ...]
    lines: int
    sites: int
    unsure: int


class Memory:
    """The entry of one run.

    Args:
        found: the files of the run.
        config: its settings.
        options: its means.
    """

    def __init__(self, found: Discovery, config: Config, options: Options) -> None:
        folder = cache_folder() if options.cache else None
        self._asked = (found, config, options)
        self._texts = {file.path: file.location for file in found.texts}
        self._path: Path | None = None
        self._key = ""
        if folder is not None:
            self._key = _key(found, config, options)
            self._path = folder / "runs" / self._key

    def recall(self) -> Remembered | None:
        """What the same run found before, or None."""
        if self._path is None:
            return None
        try:
            payload = payload_of(self._path.read_bytes())
            if payload is None:
                return None
            texts, *rest = _Unpickler(BytesIO(payload)).load()
            same = all(_digest(self._texts[path], TEXT_BYTES) == digest for path, digest in texts)
            return Remembered(*rest) if same else None
        except Exception:  # noqa: BLE001 - a damaged or planted entry can raise anything; then the run is made
            return None

    def keep(self, outcome: Remembered, texts: Iterable[str]) -> None:
        """Remember what a run found, unless it is of the moment or the files have changed meanwhile.

        Args:
            outcome: what it found.
            texts: the paths of the prompt files that were read.
        """
        passing = any(word in told.message for told in outcome.findings for word in _PASSING)
        if self._path is None or passing or _key(*self._asked) != self._key:
            return
        read_texts = tuple((path, _digest(self._texts[path], TEXT_BYTES)) for path in sorted(texts))
        fields = (outcome.findings, outcome.suppressed, outcome.lines, outcome.sites, outcome.unsure)
        write_whole(self._path, framed(pickle.dumps((read_texts, *fields), protocol=5)))


class _Unpickler(pickle.Unpickler):
    """Builds findings and what they are made of."""

    def find_class(self, module: str, name: str) -> object:
        try:
            return _CLASSES[module, name]
        except KeyError:
            raise pickle.UnpicklingError(f"{module}.{name} is no part of a finding") from None


def _key(found: Discovery, config: Config, options: Options) -> str:
    """The digest of all that decides what a run finds, but for the prompt files that it reads."""
    whole = hashlib.sha256()
    select = None if config.select is None else sorted(config.select)
    models = [_digest(path, options.file_bytes) for path in config.models]
    python = (sys.version_info[:2], find_spec("libcst") is not None)
    limits = (options.file_bytes, options.file_seconds)
    settings = (__version__, IR_VERSION, _own_code(), python, select, config.min_confidence.value, models, limits)
    whole.update(repr(settings).encode())
    whole.update(
        repr([(told.place.path, told.message) for told in found.unreadable]).encode("utf-8", "surrogatepass")
    )
    whole.update(repr([file.path for file in found.texts]).encode("utf-8", "surrogatepass"))
    for file in found.sources:
        line = f"{file.path}\0{_digest(file.location, options.file_bytes)}\n"
        whole.update(line.encode("utf-8", "surrogatepass"))
    return whole.hexdigest()


def _digest(location: Path, limit: int) -> str:
    """The digest of a file, or why it cannot be read."""
    try:
        return hashlib.sha256(read(location, limit=limit)).hexdigest()
    except UnreadableError as error:
        return f"!{error.reason}"


def _own_code() -> str:
    """The files of this ctxlint, by size and time: whoever works on it must not see yesterday's findings."""
    state = hashlib.sha256()
    package = Path(__file__).parents[1]
    for folder, folders, files in os.walk(package):
        folders[:] = sorted(name for name in folders if name != "__pycache__")
        for name in sorted(files):
            if name.endswith((".py", ".toml", ".so", ".pyd")):
                known = os.stat(os.path.join(folder, name))  # noqa: PTH116, PTH118 - a Path for each doubles the time
                state.update(
                    f"{folder}/{name} {known.st_size} {known.st_mtime_ns}\n".encode("utf-8", "surrogatepass")
                )
    return state.hexdigest()
