"""What lies in a write-ahead log behind a frame with a bad checksum: operations that SQLite passes over in silence.

    header   magic, version, page size, checkpoint, two salts, checksum
    frame    page, size of the file after a commit or 0, the two salts, checksum over all before it; then the page

SQLite reads a log up to the first bad frame, as after a crash in the midst of a write. A frame that ends a
transaction and carries the salts of this log, but lies behind the end that SQLite sees, was whole once. Only a power
loss during the very last operation can leave the same. A log that was cut cannot be told from a crash.

The format: https://sqlite.org/fileformat2.html#the_write_ahead_log
"""

from __future__ import annotations

import sqlite3
import struct
import time
from contextlib import suppress
from pathlib import Path

_HEADER, _FRAME = 32, 24
_SETTLED_SECONDS = 0.05


def lost_operations(connection: sqlite3.Connection, path: Path) -> int:
    """How many transactions lie behind the end of the log that SQLite sees.

    To be asked before the first write, which covers them.

    Args:
        connection: a connection to the file, outside of a transaction.
        path: the file of the database.
    """
    found = _behind_the_end(connection, path)
    if found:
        time.sleep(_SETTLED_SECONDS)  # another process may have been in the midst of one
        found = _behind_the_end(connection, path)
    return found


def _behind_the_end(connection: sqlite3.Connection, path: Path) -> int:
    log = path.with_name(path.name + "-wal")
    salts, ends = _ends(log)
    end = _end_that_is_seen(connection)
    if end < 0 or _ends(log)[0] != salts:  # nobody can tell, or the log was begun anew in between
        return 0
    return sum(number > end for number in ends)


def _end_that_is_seen(connection: sqlite3.Connection) -> int:
    """The number of the last valid frame; -1 where SQLite cannot say, on a full disk or beside another checkpoint.

    The file beside the log that holds this number must not be opened: closing it again would give up the locks that
    SQLite has on it in this process, and other processes would cut it off under the feet of this one.
    """
    with suppress(sqlite3.OperationalError):
        _, end, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        return int(end)
    return -1


def _ends(log: Path) -> tuple[bytes, list[int]]:
    """The salts of a log, and the numbers of its frames that end a transaction."""
    content = b""
    with suppress(FileNotFoundError):
        content = log.read_bytes()
    if len(content) < _HEADER:
        return b"", []
    (page,) = struct.unpack_from(">I", content, 8)
    if page < 512 or page > 65536:
        return b"", []
    salts = content[16:24]
    starts = range(_HEADER, len(content) - _FRAME - page + 1, _FRAME + page)
    return salts, [
        number
        for number, start in enumerate(starts, start=1)
        if content[start + 8 : start + 16] == salts and content[start + 4 : start + 8] != b"\0\0\0\0"
    ]
