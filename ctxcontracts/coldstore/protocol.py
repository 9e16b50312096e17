"""What every cold store promises. `ctxcontracts.testing.stores.ColdStoreSuite` tests the same sentences on yours."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Protocol, Self

from ctxcontracts.coldstore.damage import Damage
from ctxcontracts.coldstore.forgetting import Forgetting
from ctxcontracts.coldstore.journal import JournalEntry, Snapshot
from ctxcontracts.contracts.registry import DerivedRegistry
from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.record import ObservedRecord
from ctxcontracts.spans.span import DerivedSpan, ObservedSpan


class ColdStore(DerivedRegistry, Protocol):
    """The append-only home of originals, summaries and journals, and of the calls that `@derives` registers.

    Every method may be called from any thread. Every error is a `ColdStoreError` or a `StaleSession`, says what to
    do, and means that the store holds exactly what it held before the call.
    """

    def append(self, session: str, entries: Sequence[JournalEntry], *, expected: int) -> int:
        """Adds entries to the end of a session's journal, with the originals and summaries that they bring.

        All of it is durable when the call returns, or none of it ever is. Texts are kept under their sha256, once,
        whoever brings them, and nothing that is kept is ever changed.

        Args:
            session: the name of the session; it begins to exist with its first entry.
            entries: what happened, oldest first.
            expected: the length of the journal that the writer has seen.

        Returns:
            The new length of the journal.

        Raises:
            StaleSession: when the journal does not have the expected length: someone else wrote to the session.
            DamagedOriginalError: when a text does not have the digest that its record claims, or the store holds
                something else under that digest.
            ColdStoreError: when the id of a record is in use already, or the store cannot be written.
            ClosedStoreError: after `close`.
        """
        ...

    def journal(self, session: str, *, after: int = 0) -> Iterator[JournalEntry]:
        """The entries of a session from number `after` on (the first is number 0); none for an unknown session.

        The text of a summary in them is a `DerivedStr`, which no door takes.

        Entries that are appended while the iterator is read may be among them or not; none is left out in between.

        Raises:
            DamagedOriginalError: when a text does not have its digest.
            OriginalMissingError: when a text is not there.
            StoreVersionError: when a newer version of the library wrote an entry that this one does not understand.
            RewritePolicyError: while a summarizer runs, since the entries hold the texts of earlier summaries. The
                iterator raises it too, whenever it was made (`reading.Reading` does that for every store).
            ClosedStoreError: after `close`.
        """
        ...

    def fetch(self, source: SourceId, /) -> ObservedSpan:
        """An original, whose digest was recomputed just now.

        Raises:
            ForgottenError: when its text was forgotten.
            OriginalMissingError: when there is none under this id; the id of a derived span is none.
            DamagedOriginalError: when what is kept does not have its digest.
            ClosedStoreError: after `close`.
        """
        ...

    def fetch_record(self, source: SourceId, /) -> ObservedRecord:
        """The same as plain data. Raises as `fetch` does."""
        ...

    def derived(self, derived: DerivedId, /) -> DerivedSpan:
        """A summary, live or not, whose digest was recomputed just now. Raises as `fetch` does."""
        ...

    def keep_snapshot(self, session: str, state: str, *, expected: int) -> None:
        """Keeps a copy of what a session's journal tells, in place of an earlier one.

        Args:
            session: the session.
            state: the copy; the store does not look inside.
            expected: the length of the journal that it is a copy of, which has to be its length now.

        Raises:
            StaleSession: when the journal has another length.
            ColdStoreError: when the store cannot be written.
            ClosedStoreError: after `close`.
        """
        ...

    def snapshot(self, session: str, /) -> Snapshot | None:
        """The copy that was kept last, or None where there is none that can be used.

        One that is not what was kept, or that covers an entry that was forgotten since, cannot be used.

        Raises:
            ClosedStoreError: after `close`.
        """
        ...

    def sessions(self) -> tuple[str, ...]:
        """The names of all sessions that have an entry, oldest first.

        Raises:
            ClosedStoreError: after `close`.
        """
        ...

    def forget(self, sources: SourceId | Iterable[SourceId], *, reason: str, key: bytes | None = None) -> Forgetting:
        """Removes the texts of originals, and of the summaries that were made from them, for good.

        Their entries become tombstones and each journal that held one gets a `Forgotten` entry, so that a buffer that
        is open on it has to read it again before it writes. Nothing else can remove a text. What was forgotten
        before is left out.

        Args:
            sources: the ids of the originals.
            reason: why; it is kept for ever, so it must not tell what stood there.
            key: at least 16 bytes, for the hashes in the traces; fresh random ones when left out.

        Raises:
            OriginalMissingError: when there is no original under an id; then nothing is forgotten.
            ColdStoreError: when the store cannot be written, or an argument is of no use.
            ClosedStoreError: after `close`.
        """
        ...

    def verify(self, *, sample: float = 1.0) -> tuple[Damage, ...]:
        """All that is wrong: digests, entries, references. It changes nothing.

        Args:
            sample: the share that is read, chosen by chance, for a store that takes too long to read as a whole;
                what is found in it is damage, and what is not found may still be.

        Raises:
            ClosedStoreError: after `close`.
        """
        ...

    def close(self) -> None:
        """Gives back what the store holds open. A second call does nothing."""
        ...

    def __enter__(self) -> Self:
        """The store itself."""
        ...

    def __exit__(self, *exc_info: object) -> None:
        """Closes the store."""
        ...
