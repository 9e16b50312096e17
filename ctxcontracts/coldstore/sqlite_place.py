"""Where a store lies: on a network drive, neither the locks nor the shared memory of a log can be relied on.

What is mounted where is asked of Linux. Where nobody can be asked, the store is opened, and SQLite says what it can.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

_MOUNTS = Path("/proc/self/mounts")
_KINDS = """9p afs ceph cifs coda glusterfs lustre ncpfs nfs nfs4 smb3 smbfs
fuse.glusterfs fuse.rclone fuse.s3fs fuse.sshfs"""
_OVER_A_NETWORK: Final = frozenset(_KINDS.split())


def network_of(path: Path) -> str | None:
    """The kind of network drive that a file lies on, or None for a local disk or one that nothing is known about."""
    try:
        mounts = _MOUNTS.read_text(encoding="utf-8", errors="surrogateescape").splitlines()
        place = path.resolve()
    except (OSError, ValueError):
        return None
    deepest, kind = -1, ""
    for line in mounts:
        _, point, found, *_ = line.split(" ")
        mount = Path(point.replace("\\040", " "))
        if place.is_relative_to(mount) and len(mount.parts) >= deepest:  # the later of two covers the earlier
            deepest, kind = len(mount.parts), found
    return kind if kind in _OVER_A_NETWORK else None
