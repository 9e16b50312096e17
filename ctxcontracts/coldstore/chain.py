"""The hash chain of a journal: each entry is bound to all entries before it, so that none is changed unnoticed.

    seal of an entry    sha256(salt, entry)
    link of an entry    sha256(link of the entry before, number, time, seal)

The salt is random and kept beside the entry. Where an entry is forgotten its salt goes too: the chain still closes
over the seal, and nobody can find out by guessing what stood there.
"""

from __future__ import annotations

import hashlib
import secrets

SALT_BYTES = 16


def fresh_salt() -> bytes:
    """A salt for one entry."""
    return secrets.token_bytes(SALT_BYTES)


def seal_of(salt: bytes, line: str) -> bytes:
    """What binds an entry, and tells nothing about it to whoever does not have the salt."""
    return hashlib.sha256(salt + line.encode()).digest()


def link_of(before: bytes, number: int, at: int, seal: bytes) -> bytes:
    """The link of one entry.

    Args:
        before: the link of the entry before, or `first_link` of the session.
        number: the number of the entry.
        at: when it was written, in milliseconds since 1970.
        seal: its seal.
    """
    return hashlib.sha256(before + number.to_bytes(8, "big") + at.to_bytes(8, "big", signed=True) + seal).digest()


def first_link(namespace: str, session: str) -> bytes:
    """What the first entry of a session is linked to: entries cannot be moved to another session."""
    return hashlib.sha256(f"journal\0{namespace}\0{session}".encode()).digest()
