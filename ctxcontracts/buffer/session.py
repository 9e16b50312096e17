"""One session: the window in memory, in step with its journal in the cold store.

    write     the writing lock is held: plan on the window, append to the store, then apply to the window
    read      the reading lock is held for the moment of a copy; a writer holds it while it applies, never while it
              stores, so no reader and no event loop waits for a disk
    claim     made under the reading lock, between writes; given back at any time

A window therefore never shows what the store does not hold (P4), and whoever comes second finds the claim or the
change of the first (P11).
"""

from __future__ import annotations

import secrets
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from typing import TypeAlias, TypeVar, final

from ctxcontracts.buffer import refusal
from ctxcontracts.buffer.claim import Claim, hold, release
from ctxcontracts.buffer.plan import Arrival, replayed
from ctxcontracts.buffer.reentry import listen
from ctxcontracts.buffer.snapshot import restored, written
from ctxcontracts.buffer.window import Change, Window
from ctxcontracts.coldstore.forgetting import Forgetting
from ctxcontracts.coldstore.journal import JournalEntry, Started
from ctxcontracts.coldstore.memory import MemoryStore
from ctxcontracts.coldstore.protocol import ColdStore
from ctxcontracts.contracts.watch import Watch
from ctxcontracts.errors import ColdStoreError, CtxContractsError
from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.running import replaying

A = TypeVar("A")
T = TypeVar("T")
_LEAST_BETWEEN = 1000
"""Entries between two snapshots; in long sessions more, so that they cost no more than the entries do."""

Decide: TypeAlias = Callable[[Window, object, str], Claim]


def fresh_name() -> str:
    """A session name that no other session has."""
    return f"s-{secrets.token_hex(8)}"


def checked_name(session: object) -> str:
    """A session name that can stand in ids and marks.

    Raises:
        CtxContractsError: when it is no `str` of 1 to 100 printable characters without spaces and brackets.
    """
    if (
        not isinstance(session, str)
        or not 0 < len(session) <= 100
        or not session.isprintable()
        or any(character in "[]" or character.isspace() for character in session)
    ):
        raise refusal.bad_session(session)
    return session


@final
class Session:
    """The window of a session, rebuilt from its journal when made.

    Args:
        store: the store that holds the journal.
        name: the name of the session.
        counter: the name of the token counter, for the journal.

    Raises:
        ColdStoreError: when the journal cannot be read, or contradicts itself.
        CtxContractsError: when the store is none.
    """

    def __init__(self, store: ColdStore, name: str, *, counter: str) -> None:
        if not callable(getattr(store, "journal", None)):
            raise refusal.no_store(store)
        self.store = store
        self.name = name
        self._counter = counter
        # What ends with the process is not opened again: a snapshot would cost more than all else.
        self._lasts = type(store) is not MemoryStore
        self._writing = threading.Lock()
        self._reading = threading.Lock()
        self._interrupted = False
        self._window = Window(name)
        self._seen = 0
        self._kept = 0
        self._counted_by = ""
        self._replay()

    @property
    def tokens(self) -> int:
        """The size of the window."""
        return self._whole().tokens

    def rewritten_into(self, source: SourceId, /) -> DerivedId | None:
        """See `Window.rewritten_into`; one lookup after the other needs no lock."""
        if not isinstance(source, str):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            raise refusal.no_id("buffer.rewritten_into(source)", source)
        return self._whole().rewritten_into(source)

    def is_live(self, span_id: SourceId | DerivedId, /) -> bool:
        """Whether the span with this id is in the window now."""
        if not isinstance(span_id, str):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            raise refusal.no_id("buffer.is_live(span_id)", span_id)
        return span_id in self._whole().slot_of

    @property
    def is_unsure(self) -> bool:
        """Whether an interrupt may have left the window and the journal apart."""
        return self._interrupted

    def mend(self) -> None:
        """Rebuilds the window where it is unsure. Every reader does so by itself."""
        self._whole()

    @property
    def is_new(self) -> bool:
        """Whether nothing was ever written to the session."""
        return self._seen == 0

    def read(self, look: Callable[[Window], T]) -> T:
        """What a short function sees in the window, between two changes."""
        if self._interrupted:
            self._whole()
        with self._reading:
            return look(self._window)

    def listen(self, watch: Watch, arrivals: Sequence[Arrival], call: str) -> None:
        """Looks for derived texts in what arrives, without a lock: what comes in meanwhile is not listened for."""
        listen(watch, self._window, arrivals, call)

    def claim(self, decide: Decide, spans: object, call: str, *, holder: list[Claim]) -> Claim:
        """A claim on spans of the window, entered at once. Raises what `decide` raises.

        Args:
            decide: makes the claim, or says why not.
            spans: what it is on.
            call: the call as the user knows it, for messages.
            holder: gets the claim before it is entered, so that an interrupt cannot lose it.
        """

        def decide_and_hold(window: Window) -> Claim:
            claim = decide(window, spans, call)
            holder.append(claim)
            hold(window, claim)
            return claim

        return self.read(decide_and_hold)

    def release(self, claim: Claim) -> None:
        """Gives a claim back, whatever became of it.

        Without the lock: it deletes entries of this claim alone, which nobody else may change, and it is also called
        where an object is finalized, in whatever thread and moment that is.
        """
        release(self._window, claim)

    def write(self, plan: Callable[[Window, A], Change | None], given: A) -> Change | None:
        """Plans a change on the window, makes it durable, and applies it. None when the plan is to change nothing.

        Args:
            plan: decides the change, or raises.
            given: what the plan is about.

        Raises:
            StaleSession: when someone else wrote to the session.
            ColdStoreError: when the store cannot keep the change; also whatever `plan` raises. Nothing is changed.
        """
        with self._writing:
            if self._interrupted:
                self._mend()
            change = plan(self._window, given)
            if change is not None:
                self._record((change,), (change.entry,))
            return change

    def write_all(self, plan: Callable[[Window, A], Sequence[Change]], given: A) -> Sequence[Change]:
        """As `write`, for several changes that do not touch each other's spans, in one transaction."""
        with self._writing:
            if self._interrupted:
                self._mend()
            changes = plan(self._window, given)
            if changes:
                self._record(changes, tuple([change.entry for change in changes]))
            return changes

    def reload(self) -> None:
        """Rebuilds the window from the journal, with what others have written meanwhile."""
        with self._writing:
            self._mend()

    def forget(self, sources: SourceId | Iterable[SourceId], *, reason: str, key: bytes | None) -> Forgetting:
        """Forgets originals in the store, and rebuilds the window without them and what was made from them."""
        with self._writing:
            try:
                return self.store.forget(sources, reason=reason, key=key)
            finally:
                self._mend()

    def _record(self, changes: Sequence[Change], entries: tuple[JournalEntry, ...]) -> None:
        """Stores the entries of changes and applies the changes. The writing lock is held."""
        if self._counted_by != self._counter:
            entries = (Started(self._counter), *entries)
        try:
            self._seen = self.store.append(self.name, entries, expected=self._seen)
            window = self._window
            with self._reading:
                for change in changes:
                    window.apply(change)
            self._counted_by = self._counter
            if self._lasts and self._seen - self._kept >= max(
                _LEAST_BETWEEN, (len(window.slots) + len(window.gone)) // 8
            ):
                with suppress(CtxContractsError):
                    self._snapshot()
        except CtxContractsError:
            raise
        except BaseException:
            # An interrupt may have come after the store had it and before the window did.
            self._interrupted = True
            raise

    def _whole(self) -> Window:
        """The window, rebuilt first where an interrupt may have left it half changed."""
        if self._interrupted:
            with self._writing:
                if self._interrupted:  # another thread may have been faster
                    self._mend()
        return self._window

    def _mend(self) -> None:
        """Rebuilds the window from the journal, after an interrupt. The writing lock is held."""
        self._replay()
        self._interrupted = False

    def keep(self, *, least: int = 1) -> None:
        """Leaves a snapshot where so many entries have come since the last, so that the next opening is quick.

        The window is whole without it: a store that cannot keep it costs nothing but time.
        """
        with self._writing, suppress(CtxContractsError):
            if not self._interrupted and self._seen - self._kept >= least:
                self._snapshot()

    def _snapshot(self) -> None:
        """Leaves a snapshot. The writing lock is held."""
        state = written(self._window, counter=self._counted_by)
        self.store.keep_snapshot(self.name, state, expected=self._seen)
        self._kept = self._seen

    def _replay(self) -> None:
        """Rebuilds the window from the latest snapshot and the entries behind it."""
        with replaying():
            window, counted_by, first = self._restored()
            number = first
            for number, entry in enumerate(self.store.journal(self.name, after=first), start=first + 1):
                try:
                    change = replayed(window, entry)
                    if change is not None:
                        window.apply(change)
                except (LookupError, ValueError) as error:
                    raise refusal.contradictory(self.name, number - 1) from error
                if isinstance(entry, Started):
                    counted_by = entry.counter
        with self._reading:
            window.claims = self._window.claims
            window.last_derived = max(window.last_derived, self._window.last_derived)
            self._window, self._seen, self._counted_by, self._kept = window, number, counted_by, first

    def _restored(self) -> tuple[Window, str, int]:
        """The window of the latest snapshot with its counter and length; an empty one where none can be used."""
        snapshot = self.store.snapshot(self.name)
        if snapshot is not None:
            # Whatever is wrong with it, the journal has it right, or says itself what is wrong.
            with suppress(LookupError, TypeError, ValueError, AttributeError, ColdStoreError):
                return *restored(self.name, snapshot.state, self.store), snapshot.number
        return Window(self.name), "", 0
