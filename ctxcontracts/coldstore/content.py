"""Texts as the bytes that are kept, and their digest. Lone surrogates survive: a tool may print anything."""

from __future__ import annotations

import hashlib

from ctxcontracts.spans.record import digest_of

_latest: tuple[str, str] = ("", hashlib.sha256(b"").hexdigest())


def digest_once(text: str) -> str:
    """The digest of a text on its way into a store.

    A buffer hashes a text that arrives and the store checks that hash a moment later: it is the same object, which
    cannot have changed, so it is hashed once. What is read back is always hashed anew (`digest_of`).
    """
    global _latest  # noqa: PLW0603 - one cell; threads that overwrite it cost each other a second hash, no more
    known, digest = _latest
    if known is not text:
        digest = digest_of(text)
        _latest = (text, digest)
    return digest


def bytes_of(text: str) -> bytes:
    """The bytes that are kept of a text; the inverse of `text_of`."""
    return str.encode(text, "utf-8", "surrogatepass")


def text_of(content: bytes) -> str:
    """The text of the bytes that were kept."""
    return content.decode("utf-8", "surrogatepass")


def digest_of_bytes(content: bytes) -> str:
    """The sha256 of bytes, equal to `digest_of` of their text."""
    return hashlib.sha256(content).hexdigest()
