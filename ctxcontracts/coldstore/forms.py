"""In which form the bytes of a text lie in a store: as they are, compressed, encrypted, or both.

The digest is of the text itself, so a form can change from text to text, and what was kept in one form is read in a
store that is opened with another, as long as it can decrypt.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, NamedTuple, Protocol

from ctxcontracts.errors import ColdStoreError, DamagedOriginalError, Promise

_COMPRESSED, _ENCRYPTED = 1, 2
_LEVEL = 3


class Cipher(Protocol):
    """What encrypts the texts of a store. Bring one of a library that you trust, with keys that you keep.

    `decrypt(encrypt(content))` is the content, and anything else that is given to `decrypt` is an exception.
    """

    def encrypt(self, content: bytes, /) -> bytes:
        """The content, so that only `decrypt` can read it."""
        ...

    def decrypt(self, content: bytes, /) -> bytes:
        """What was encrypted."""
        ...


class Kept(NamedTuple):
    """Bytes as they lie in a store.

    Attributes:
        form: which of the forms, as a number in the store.
        content: the bytes in that form.
    """

    form: int
    content: bytes

    def __repr__(self) -> str:
        return f"<Kept in form {self.form}, {len(self.content)} bytes>"


class Forms:
    """The forms of one store.

    Args:
        cipher: encrypts all that is kept from now on, and decrypts what was.
        compress: whether what is kept from now on is compressed, where that makes it smaller.

    Raises:
        ColdStoreError: when it is to compress and `zstandard` is not installed, or the cipher is none.
    """

    def __init__(self, *, cipher: Cipher | None = None, compress: bool = False) -> None:
        for name in ("encrypt", "decrypt"):
            if cipher is not None and not callable(getattr(cipher, name, None)):
                raise ColdStoreError(
                    f"SQLiteStore(cipher=...) was given a {type(cipher).__name__} without {name}()",
                    instead="pass an object with encrypt(bytes) and decrypt(bytes)",
                )
        self._cipher = cipher
        self._compress = compress
        if compress:
            _zstandard()

    def kept(self, content: bytes) -> Kept:
        """Content in the form in which it is to be kept."""
        form = 0
        if self._compress:
            smaller: bytes = _zstandard().ZstdCompressor(level=_LEVEL).compress(content)
            if len(smaller) < len(content):
                form, content = _COMPRESSED, smaller
        if self._cipher is not None:
            form, content = form | _ENCRYPTED, self._cipher.encrypt(content)
        return Kept(form, content)

    def read(self, kept: Kept) -> bytes:
        """The content of what was kept.

        Raises:
            ColdStoreError: when it is encrypted and there is no cipher, or compressed and `zstandard` is missing.
            DamagedOriginalError: when it cannot be decrypted or is not what was compressed.
        """
        form, content = kept
        if form & ~(_COMPRESSED | _ENCRYPTED):
            raise _damaged(f"form {form}, which no version of ctxcontracts writes")
        if form & _ENCRYPTED:
            if self._cipher is None:
                raise ColdStoreError(
                    "a text is encrypted, and the store was opened without a cipher",
                    instead="open it with SQLiteStore(path, cipher=...)",
                )
            try:
                content = self._cipher.decrypt(content)
            except Exception as error:  # noqa: BLE001 - whatever somebody's cipher raises
                raise _damaged(f"a form that the cipher does not decrypt ({type(error).__name__})") from None
        if form & _COMPRESSED:
            zstd = _zstandard()
            try:
                content = zstd.ZstdDecompressor().decompress(content)
            except zstd.ZstdError:
                raise _damaged("a form that cannot be decompressed") from None
        return content


PLAIN = Forms()


def _damaged(what: str) -> DamagedOriginalError:
    return DamagedOriginalError(
        f"a text is kept in {what}",
        promise=Promise.AUDITABLE,
        instead="open the store with the cipher that wrote it; run verify() to see all that is damaged",
    )


def _zstandard() -> Any:
    try:
        return import_module("zstandard")
    except ImportError:
        raise ColdStoreError(
            "texts are compressed with zstd, and the package zstandard is not installed",
            instead="install ctxcontracts[zstd]",
        ) from None
