"""The IR of files seen before, by content: findings are never cached, since they depend on other files.

An entry is named by the sha256 of everything that shapes it (`docs/design/lint-cache.md`), so it is never stale.
Whoever can write into the cache folder could plant an entry; reading one can therefore only ever build IR values:
the unpickler admits the plain data classes of `ctxlint.ir` and refuses every other name.
"""

from __future__ import annotations

import contextlib
import hashlib
import io
import os
import pickle
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Protocol

from ctxlint.ir import IR_VERSION, ModuleIR
from ctxlint.version import __version__

_MAGIC = b"ctxlint-ir\n"
_DIGEST_BYTES = 32
# Constants of Python code that a pickle writes by name.
_CONSTANTS: Mapping[str, object] = {"Ellipsis": ..., "complex": complex}


class IrCache(Protocol):
    """A store of IR by key. No method raises: a cache that cannot work is a cache that knows nothing."""

    keeps: bool
    """Whether an entry is worth making for `store`."""

    def load(self, key: str) -> ModuleIR | None:
        """The IR stored under `key`, or None when there is none that is whole."""

    def store(self, key: str, entry: bytes) -> None:
        """Keep `entry` (made by `dump`) under `key`, if possible."""


def key_of(data: bytes, path: str) -> str:
    """The key of a file: its content, and what else its IR depends on."""
    python = f"{sys.version_info.major}.{sys.version_info.minor}"
    digest = hashlib.sha256(f"{__version__}|{IR_VERSION}|{python}".encode())
    digest.update(b"\0" + path.encode("utf-8", "surrogatepass") + b"\0")
    digest.update(data)
    return digest.hexdigest()


def dump(module: ModuleIR) -> bytes:
    """`module` as an entry: a magic line, the digest of the payload, the payload. Empty when it cannot be written."""
    try:
        payload = pickle.dumps(module, protocol=5)
    except Exception:  # noqa: BLE001 - whatever does not travel is used where it is, and not kept
        return b""
    return framed(payload)


def framed(payload: bytes) -> bytes:
    """A payload as an entry: a magic line and its digest in front."""
    return _MAGIC + hashlib.sha256(payload).digest() + payload


def payload_of(entry: bytes) -> bytes | None:
    """The payload of an entry that is whole, else None."""
    if not entry.startswith(_MAGIC):
        return None
    body = entry[len(_MAGIC) :]
    digest, payload = body[:_DIGEST_BYTES], body[_DIGEST_BYTES:]
    return payload if hashlib.sha256(payload).digest() == digest else None


def restore(entry: bytes) -> ModuleIR | None:
    """The module of an entry, or None when the entry is damaged, foreign or malicious."""
    payload = payload_of(entry)
    if payload is None:
        return None
    try:
        value = _IrUnpickler(io.BytesIO(payload)).load()
    except Exception:  # noqa: BLE001 - a planted pickle can raise anything; whatever it is, the file is lowered again
        return None
    return value if isinstance(value, ModuleIR) else None


class _IrUnpickler(pickle.Unpickler):
    """An unpickler that can build the data classes defined in `ctxlint.ir` and Python's constants, nothing else."""

    def find_class(self, module: str, name: str) -> object:
        if module == "builtins" and name in _CONSTANTS:
            return _CONSTANTS[name]
        if module == "ctxlint.ir" or module.startswith("ctxlint.ir."):
            found = getattr(sys.modules.get(module), name, None)
            if isinstance(found, type) and found.__module__ == module:
                return found
        raise pickle.UnpicklingError(f"{module}.{name} is no IR class")


class NoCache:
    """The cache of `--no-cache`."""

    keeps = False

    def load(self, key: str) -> ModuleIR | None:  # noqa: ARG002 - the protocol's name
        """None."""
        return None

    def store(self, key: str, entry: bytes) -> None:
        """Drop it."""


class FolderCache:
    """Entries as files in a folder, two levels deep. Several runs may share it: a file is whole or absent."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self.keeps = True

    def load(self, key: str) -> ModuleIR | None:
        """The IR stored under `key`, or None when there is none that is whole."""
        try:
            entry = self._path(key).read_bytes()
        except OSError:
            return None
        return restore(entry)

    def store(self, key: str, entry: bytes) -> None:
        """Write the entry. After a first failure (full, read-only) writing stops."""
        if not self.keeps or not entry:
            return
        self.keeps = write_whole(self._path(key), entry)

    def _path(self, key: str) -> Path:
        return self._folder / key[:2] / key[2:]


def write_whole(path: Path, entry: bytes) -> bool:
    """Write an entry beside its place and move it in; whether that worked."""
    temporary: str | None = None
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor, temporary = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(descriptor, "wb") as file:
            file.write(entry)
        os.replace(temporary, path)  # noqa: PTH105 - temporary is a str from mkstemp
    except OSError:
        if temporary is not None:
            with contextlib.suppress(OSError):
                os.unlink(temporary)  # noqa: PTH108 - the same
        return False
    return True


def cache_folder() -> Path | None:
    """Where entries are kept: `$CTXLINT_CACHE_DIR`, else in the user's cache folder; None without a home."""
    named = os.environ.get("CTXLINT_CACHE_DIR")
    if named:
        return Path(named)
    user = os.environ.get("XDG_CACHE_HOME")
    if user and os.path.isabs(user):  # noqa: PTH117 - one check of a string
        return Path(user, "ctxlint")
    try:
        return Path.home() / ".cache" / "ctxlint"
    except RuntimeError:
        return None


def open_cache(*, enabled: bool) -> IrCache:
    """The cache of a run."""
    folder = cache_folder() if enabled else None
    return NoCache() if folder is None else FolderCache(folder)
