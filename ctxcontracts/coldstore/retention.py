"""Which originals a store need not keep any longer: by age, by size. They go by `forget`, which logs it.

retain(store, Retention(max_age=timedelta(days=90), max_bytes=2_000_000_000), keep={s.id for s in buffer.spans})
"""

from __future__ import annotations

import time
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import timedelta
from typing import NamedTuple, Protocol

from ctxcontracts.coldstore.forgetting import Forgetting
from ctxcontracts.coldstore.intake import bad_argument
from ctxcontracts.spans.provenance import SourceId


@dataclass(frozen=True, slots=True, kw_only=True)
class Retention:
    """How long and how much a store keeps.

    Attributes:
        max_age: originals that are older go; None for no bound.
        max_bytes: while the texts of the originals have more bytes than this, the oldest goes; None for no bound.

    Raises:
        ColdStoreError: when a bound is negative.
    """

    max_age: timedelta | None = None
    max_bytes: int | None = None

    def __post_init__(self) -> None:
        if self.max_age is not None and self.max_age < timedelta(0):
            raise bad_argument("Retention(max_age=...)", self.max_age, instead="pass a time that is not negative")
        if self.max_bytes is not None and self.max_bytes < 0:
            raise bad_argument("Retention(max_bytes=...)", self.max_bytes, instead="pass a size that is not negative")


class Holding(NamedTuple):
    """One original that a store keeps.

    Attributes:
        id: its id.
        at: when it was kept, in milliseconds since 1970.
        size: the bytes of its text.
    """

    id: SourceId
    at: int
    size: int


class Keeper(Protocol):
    """A store as far as retention needs it."""

    def holdings(self) -> Iterable[Holding]:
        """The originals that it keeps, oldest first."""
        ...

    def forget(self, sources: SourceId | Iterable[SourceId], *, reason: str, key: bytes | None = None) -> Forgetting:
        """See `ColdStore.forget`."""
        ...


def retain(
    store: Keeper, retention: Retention, *, keep: Collection[SourceId] = (), key: bytes | None = None
) -> Forgetting | None:
    """Forgets what a store need not keep any longer, in one call of `forget`; None where that is nothing.

    Args:
        store: the store.
        retention: how long and how much it keeps.
        keep: ids that stay whatever their age, as those of live windows and pinned spans.
        key: for `forget`.

    Raises:
        ColdStoreError: when the store cannot be read or written.
    """
    holdings = list(store.holdings())
    kept = set(keep)
    left = sum(holding.size for holding in holdings)
    oldest = None if retention.max_age is None else time.time() * 1000 - retention.max_age.total_seconds() * 1000
    old: list[SourceId] = []
    over: list[SourceId] = []
    for holding in holdings:
        if holding.id in kept:
            continue
        if oldest is not None and holding.at < oldest:
            old.append(holding.id)
        elif retention.max_bytes is not None and left > retention.max_bytes:
            over.append(holding.id)
        else:
            continue
        left -= holding.size
    if not old and not over:
        return None
    told = [f"{len(old)} older than {retention.max_age}"] if old else []
    told += [f"{len(over)} over the quota of {retention.max_bytes} bytes"] if over else []
    return store.forget([*old, *over], reason=f"retention: {', '.join(told)}", key=key)
