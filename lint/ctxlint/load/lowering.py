"""One file from its bytes to its IR. Every failure of a file comes out as `UnreadableError`."""

from __future__ import annotations

import errno
import gc
import os
import signal
import stat
import threading
from collections.abc import Generator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType

from ctxlint.errors import UnreadableError
from ctxlint.ir import ModuleIR, lower_module
from ctxlint.syntax import parse_module
from ctxlint.syntax.parse import decode


def read(location: Path, *, limit: int) -> bytes:
    """The bytes of a regular file, never waiting on a pipe or device that has taken its place.

    Raises:
        UnreadableError: when it is no file, cannot be read, or holds more than `limit` bytes.
    """
    try:
        descriptor = os.open(location, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(descriptor, "rb") as file:  # noqa: PTH123 - a Path would open it a second time
            if not stat.S_ISREG(os.fstat(descriptor).st_mode):
                raise UnreadableError("it is no longer a file")
            data = file.read(limit + 1)
    except OSError as error:
        gone = error.errno == errno.ENOENT
        raise UnreadableError("it vanished during the run" if gone else os.strerror(error.errno or 0)) from error
    if len(data) > limit:
        raise UnreadableError(f"it is larger than {limit / 1_000_000:g} MB")
    return data


def lowered(data: bytes, path: str, *, newest: bool = False) -> ModuleIR:
    """The IR of a file.

    Args:
        data: its bytes.
        path: as reports print it.
        newest: read syntax that this Python refuses by libcst, which may crash or hang.

    Raises:
        NewerSyntaxError: when it may be read with `newest`.
        UnreadableError: when the file cannot be decoded, parsed or lowered.
    """
    try:
        text = decode(data)
        return lower_module(parse_module(text, path, newest=newest), path=path, source=text)
    except UnreadableError:
        raise
    except RecursionError as error:
        raise UnreadableError("it nests too deeply to be analysed") from error
    except MemoryError as error:
        raise UnreadableError("it needs more memory to be analysed than there is") from error
    except Exception as error:
        # A fault of ours must not take the other files with it; the type tells us enough to look for it.
        raise UnreadableError(f"ctxlint failed on it ({type(error).__name__}): please report this") from error


@contextmanager
def gc_paused() -> Generator[None]:
    """No garbage collection inside: lowering makes millions of objects and no cycles worth collecting (1.6-1.9x)."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


class _OutOfTimeError(BaseException):
    """The alarm went off. Not an Exception, so that no `except Exception` on the way swallows it."""


@contextmanager
def time_limit(seconds: float) -> Generator[None]:
    """Stop Python code inside after `seconds`, where the platform and thread allow it (C code ends first).

    Raises:
        UnreadableError: when the time is over.
    """
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def ring(_signal: int, _frame: FrameType | None) -> None:
        raise _OutOfTimeError

    before = signal.signal(signal.SIGALRM, ring)
    try:
        try:
            signal.setitimer(signal.ITIMER_REAL, seconds)
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    except _OutOfTimeError as error:  # the alarm rings once, inside the body or on the way out of it
        raise UnreadableError(f"it took longer than {seconds:g} seconds") from error
    finally:
        signal.signal(signal.SIGALRM, before)
