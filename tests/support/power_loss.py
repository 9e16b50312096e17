"""An emulated power loss: what a disk may hold when the power fails at any moment.

A VFS is put in front of SQLite's own, in the library that Python's `sqlite3` is linked to. It writes down each write,
truncation, sync and deletion. What was synced is on the disk; of what came after its last sync, any part may be.
"""

from __future__ import annotations

import ctypes
import ctypes.util
import random
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

C = ctypes
_I, _P, _L = C.c_int, C.c_void_p, C.c_int64


class _Methods(C.Structure):
    """sqlite3_io_methods, as far as version 3 goes."""

    _fields_ = (
        ("iVersion", _I),
        ("xClose", C.CFUNCTYPE(_I, _P)),
        ("xRead", _P),
        ("xWrite", C.CFUNCTYPE(_I, _P, _P, _I, _L)),
        ("xTruncate", C.CFUNCTYPE(_I, _P, _L)),
        ("xSync", C.CFUNCTYPE(_I, _P, _I)),
        *((f"other{n}", _P) for n in range(13)),
    )


class _File(C.Structure):
    _fields_ = (("methods", C.POINTER(_Methods)),)


# The name is an address and no bytes: SQLite keeps it, and reads what stands behind the text.
_OPEN = C.CFUNCTYPE(_I, _P, _P, C.POINTER(_File), _I, C.POINTER(_I))
_DELETE = C.CFUNCTYPE(_I, _P, C.c_char_p, _I)


class _Vfs(C.Structure):
    """sqlite3_vfs, version 3."""

    _fields_ = (
        ("iVersion", _I),
        ("szOsFile", _I),
        ("mxPathname", _I),
        ("pNext", _P),
        ("zName", C.c_char_p),
        ("pAppData", _P),
        ("xOpen", _OPEN),
        ("xDelete", _DELETE),
        *((f"other{n}", _P) for n in range(16)),
    )


def _path_at(name: int) -> Path:
    return Path(C.string_at(name).decode())


class Step(NamedTuple):
    """One thing that happened to a file.

    Attributes:
        what: `write`, `truncate`, `sync`, `folder` (it was synced), `delete`, or `said` (an acknowledgement).
        name: the name of the file; what was acknowledged.
        offset: where it was written, to what size it was cut, or whether its deletion was synced.
        content: what was written.
    """

    what: str
    name: str
    offset: int = 0
    content: bytes = b""


def library() -> Any:
    """The SQLite that Python's module is linked to, or None where it has one of its own inside."""
    name = ctypes.util.find_library("sqlite3")
    import sqlite3

    found: Any = C.CDLL(name) if name else None
    if found is None:
        return None
    found.sqlite3_libversion.restype = C.c_char_p
    found.sqlite3_vfs_find.restype = C.POINTER(_Vfs)
    return found if found.sqlite3_libversion().decode() == sqlite3.sqlite_version else None


class Recorder:
    """Writes down what SQLite does to the files of a database."""

    def __init__(self) -> None:
        self.steps: list[Step] = []
        self._lib = library()
        self._usual = self._lib.sqlite3_vfs_find(None)
        self._vfs = _Vfs()
        C.memmove(C.byref(self._vfs), self._usual, C.sizeof(_Vfs))
        self._vfs.zName = b"recorder"
        self._open, self._delete = self._usual.contents.xOpen, self._usual.contents.xDelete
        self._vfs.xOpen, self._vfs.xDelete = _OPEN(self._opened), _DELETE(self._deleted)
        self._names: dict[int, str] = {}
        self._kept: list[Any] = []
        self._new: set[str] = set()

    def acknowledged(self, what: object) -> None:
        """Marks that a caller was told that something is durable."""
        self.steps.append(Step("said", str(what)))

    @contextmanager
    def recording(self) -> Iterator[None]:
        """The time in which every new connection of this process is recorded."""
        self._lib.sqlite3_vfs_register(C.byref(self._vfs), 1)
        try:
            yield
        finally:
            self._lib.sqlite3_vfs_register(self._usual, 1)
            self._lib.sqlite3_vfs_unregister(C.byref(self._vfs))

    def _opened(self, vfs: Any, name: int | None, file: Any, flags: int, out: Any) -> int:
        path = None if name is None else _path_at(name)
        new = path is not None and not path.exists()
        code: int = self._open(C.addressof(self._usual.contents), name, file, flags, out)
        if code == 0 and path is not None and bool(file.contents.methods):
            usual = file.contents.methods.contents
            ours = _Methods()
            C.memmove(C.byref(ours), C.byref(usual), C.sizeof(_Methods))
            if new and path.name.endswith(("-wal", "-journal")):  # their first sync syncs the folder too
                self._new.add(path.name)
            ours.xWrite = type(ours.xWrite)(self._write(path.name, usual.xWrite))
            ours.xTruncate = type(ours.xTruncate)(self._truncate(path.name, usual.xTruncate))
            ours.xSync = type(ours.xSync)(self._sync(path.name, usual.xSync))
            self._kept.append((ours, usual))
            file.contents.methods = C.pointer(ours)
        return code

    def _deleted(self, vfs: Any, name: int, sync: int) -> int:
        self.steps.append(Step("delete", _path_at(name).name, sync))
        code: int = self._delete(C.addressof(self._usual.contents), name, sync)
        return code

    def _write(self, name: str, usual: Any) -> Any:
        def write(file: int, content: int, size: int, offset: int) -> int:
            self.steps.append(Step("write", name, offset, C.string_at(content, size)))
            code: int = usual(file, content, size, offset)
            return code

        return write

    def _truncate(self, name: str, usual: Any) -> Any:
        def truncate(file: int, size: int) -> int:
            self.steps.append(Step("truncate", name, size))
            code: int = usual(file, size)
            return code

        return truncate

    def _sync(self, name: str, usual: Any) -> Any:
        def sync(file: int, flags: int) -> int:
            code: int = usual(file, flags)
            self.steps.append(Step("sync", name))
            if name in self._new:
                self._new.remove(name)
                self.steps.append(Step("folder", ""))
            return code

        return sync


class Disk:
    """What lies on the disk after the first so many steps, as the power fails."""

    def __init__(self, steps: list[Step], chance: random.Random) -> None:
        self.said = [step.name for step in steps if step.what == "said"]
        self.files: dict[str, bytearray] = {}
        last_sync = {step.name: index for index, step in enumerate(steps) if step.what == "sync"}
        last_folder = max((index for index, step in enumerate(steps) if step.what == "folder"), default=-1)
        revived: set[str] = set()
        for index, step in enumerate(steps):
            if step.what in {"said", "sync", "folder"} or step.name in revived:
                continue
            durable = index < last_sync.get(step.name, -1)
            if step.what == "delete":
                if index < last_folder or step.offset or chance.random() < 0.5:
                    self.files.pop(step.name, None)
                else:
                    revived.add(step.name)
            elif durable or chance.random() < 0.5:
                self._apply(step, torn=not durable and chance.random() < 0.5, chance=chance)

    def _apply(self, step: Step, *, torn: bool, chance: random.Random) -> None:
        content = self.files.setdefault(step.name, bytearray())
        if step.what == "truncate":
            del content[step.offset :]
            return
        written = step.content[: chance.randrange(len(step.content) + 1)] if torn else step.content
        end = step.offset + len(written)
        content.extend(bytes(max(0, end - len(content))))
        content[step.offset : end] = written

    def put(self, folder: Path) -> None:
        """Writes the files into a folder."""
        folder.mkdir()
        for name, content in self.files.items():
            (folder / name).write_bytes(content)
