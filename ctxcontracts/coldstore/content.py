"""Texts as the bytes that are kept, and their digest. Lone surrogates survive: a tool may print anything."""

from __future__ import annotations

import hashlib


def bytes_of(text: str) -> bytes:
    """The bytes that are kept of a text; the inverse of `text_of`."""
    return text.encode("utf-8", "surrogatepass")


def text_of(content: bytes) -> str:
    """The text of the bytes that were kept."""
    return content.decode("utf-8", "surrogatepass")


def digest_of_bytes(content: bytes) -> str:
    """The sha256 of bytes, equal to `digest_of` of their text."""
    return hashlib.sha256(content).hexdigest()
