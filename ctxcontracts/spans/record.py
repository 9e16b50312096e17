"""What is kept of a span: plain data, for journals and cold stores.

A record is no span: only a buffer or a store turns one into a span again, after checking its digest.
"""

from __future__ import annotations

import hashlib
from typing import NamedTuple

from ctxcontracts.spans.provenance import DerivedId, Role, SourceId
from ctxcontracts.spans.text import DerivedStr


def digest_of(text: str) -> str:
    """The sha256 of a text in UTF-8, as 64 lower-case hexadecimal digits: the key of its content."""
    # `str.encode`, since the encode of a derived text refuses while a summarizer runs.
    return hashlib.sha256(str.encode(text, "utf-8", "surrogatepass")).hexdigest()


class ObservedRecord(NamedTuple):
    """An original, as it is kept for ever."""

    id: SourceId
    text: str
    digest: str
    origin: str
    role: Role
    tokens: int
    pinned: bool
    informed_by: tuple[DerivedId, ...]

    def __repr__(self) -> str:
        return f"<ObservedRecord {self.id} from {self.origin}, {len(self.text)} characters>"


class DerivedRecord(NamedTuple):
    """A summary, with what it was made from and by whom. `digest` is the digest of `text`, which no door takes."""

    id: DerivedId
    text: DerivedStr
    digest: str
    sources: tuple[SourceId, ...]
    tokens: int
    summarizer: str

    def __repr__(self) -> str:
        return f"<DerivedRecord {self.id} of {len(self.sources)} sources, {len(self.text)} characters>"
