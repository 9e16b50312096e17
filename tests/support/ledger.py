"""What a buffer tells the contracts, as a plain value."""

from __future__ import annotations

from dataclasses import dataclass, field

from ctxcontracts import DerivedId, SourceId


@dataclass(frozen=True)
class Ledger:
    """Knows which spans were rewritten, and which are live."""

    rewritten: dict[str, str] = field(default_factory=dict)
    live: frozenset[str] = frozenset()

    def rewritten_into(self, source: SourceId, /) -> DerivedId | None:
        into = self.rewritten.get(source)
        return None if into is None else DerivedId(into)

    def is_live(self, span_id: SourceId | DerivedId, /) -> bool:
        return span_id in self.live
