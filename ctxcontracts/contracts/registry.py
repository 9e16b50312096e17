"""Which texts were derived by `@derives`, and by which call: digests and names, never a text."""

from __future__ import annotations

import secrets
import threading
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Protocol

from ctxcontracts.spans.record import digest_of


@dataclass(frozen=True, slots=True)
class DerivedCall:
    """One call that derived a text.

    Attributes:
        id: the id in the text's mark, unique among all registries that a text may meet.
        digest: `digest_of_whole` of the text, without its mark.
        length: the number of characters of the text, without its mark.
        function: the qualified name of the function that was called.
        when: when it returned, UTC, ISO 8601.
    """

    id: str
    digest: str
    length: int
    function: str
    when: str


def digest_of_whole(text: str) -> str:
    """The digest by which a whole text is known again: white space at its two ends does not count."""
    return digest_of(text.strip())


class DerivedRegistry(Protocol):
    """Where `@derives` keeps and finds its calls. Every method may be called from any thread."""

    def new_id(self) -> str:
        """An id that no registry gave before, in this process or another; free of `]` and white space."""
        ...

    def register(self, call: DerivedCall, /) -> None:
        """Keeps a call. It is durable, as far as the registry is, when this returns.

        Raises:
            ColdStoreError: when it cannot be kept.
        """
        ...

    def find(self, digest: str, /) -> DerivedCall | None:
        """The first call whose text has this `digest_of_whole`, or None."""
        ...

    def by_id(self, call_id: str, /) -> DerivedCall | None:
        """The call with this id, or None."""
        ...


def fresh_id() -> str:
    """A random id, for `DerivedRegistry.new_id`: 16 hexadecimal digits, so that two never meet."""
    return secrets.token_hex(8)


class MemoryRegistry:
    """Keeps the calls as long as the object lives: about 0.4 KB a call, whatever the length of its text."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_digest: dict[str, DerivedCall] = {}
        self._by_id: dict[str, DerivedCall] = {}

    def new_id(self) -> str:
        """See `DerivedRegistry.new_id`."""
        return fresh_id()

    def register(self, call: DerivedCall, /) -> None:
        """See `DerivedRegistry.register`."""
        with self._lock:
            self._by_id[call.id] = call
            self._by_digest.setdefault(call.digest, call)

    def find(self, digest: str, /) -> DerivedCall | None:
        """See `DerivedRegistry.find`."""
        return self._by_digest.get(digest)

    def by_id(self, call_id: str, /) -> DerivedCall | None:
        """See `DerivedRegistry.by_id`."""
        return self._by_id.get(call_id)

    def discard(self, digests: AbstractSet[str]) -> None:
        """Takes out the calls whose texts have these digests: the texts were forgotten."""
        with self._lock:
            gone = [call for call in self._by_id.values() if call.digest in digests]
            for call in gone:
                self._by_id.pop(call.id)
                self._by_digest.pop(call.digest, None)

    def __len__(self) -> int:
        return len(self._by_id)

    def __repr__(self) -> str:
        return f"<MemoryRegistry, {len(self)} calls>"
