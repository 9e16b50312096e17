"""A worker process: it takes one file at a time on standard input and answers with the file's IR on standard output.

It may crash, hang or run out of memory without harm to anything but the file it holds. It never gets a path to open:
the bytes come with the task.
"""

from __future__ import annotations

import gc
import os
import struct
import sys
from enum import IntEnum
from typing import BinaryIO, Final

from ctxlint.errors import NewerSyntaxError, UnreadableError

TASK: Final = struct.Struct(">IQd?")  # bytes of path, bytes of source, seconds allowed, whether libcst may read it
REPLY: Final = struct.Struct(">BQ")  # kind, bytes of payload
_COLLECT_EVERY: Final = 256  # files; a collection after each would cost four times what the files cost


class ReplyKind(IntEnum):
    """What a worker says."""

    READY = 0
    ENTRY = 1
    UNREADABLE = 2
    NEWER = 3


def serve(tasks: BinaryIO, replies: BinaryIO) -> None:
    """Answer tasks until there are no more."""
    from ctxlint.load import cache, lowering  # noqa: PLC0415 - READY promises that these imports worked

    _send(replies, ReplyKind.READY, b"")
    done = 0
    while header := tasks.read(TASK.size):
        path_bytes, source_bytes, seconds, newest = TASK.unpack(header)
        path = tasks.read(path_bytes).decode("utf-8", "surrogatepass")
        source = tasks.read(source_bytes)
        try:
            with lowering.time_limit(seconds):
                entry = cache.dump(lowering.lowered(source, path, newest=newest))
        except UnreadableError as error:
            kind = ReplyKind.NEWER if isinstance(error, NewerSyntaxError) else ReplyKind.UNREADABLE
            _send(replies, kind, f"{error.line} {error.reason}".encode())
        else:
            _send(replies, ReplyKind.ENTRY, entry)
        done += 1
        if done % _COLLECT_EVERY == 0:
            gc.collect()


def _send(replies: BinaryIO, kind: ReplyKind, payload: bytes) -> None:
    replies.write(REPLY.pack(kind, len(payload)))
    replies.write(payload)
    replies.flush()


def main() -> None:
    """Serve the process's own pipes; whatever else prints goes to standard error."""
    replies = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    gc.disable()
    gc.freeze()  # what is loaded by now stays: a collection need not look at it
    serve(sys.stdin.buffer, replies)
