"""The suite for stores that outlive their process: what was acknowledged is there, whatever ended the process.

    class TestMyStore(DurableStoreSuite):
        kills = 100

        @pytest.fixture
        def make_store(self, tmp_path):
            return lambda: MyStore(tmp_path / "store")

The tests fork, so they need a POSIX system.
"""

from __future__ import annotations

import os
import random
import signal
import time
import traceback
import warnings
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from typing import ClassVar

from ctxcontracts.coldstore.journal import JournalEntry, Observed, Pruned, Rewritten
from ctxcontracts.coldstore.protocol import ColdStore
from ctxcontracts.contracts.registry import DerivedCall
from ctxcontracts.errors import StaleSession
from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.testing.stores import D1, O1, ColdStoreSuite, MakeStore, original, summary


class DurableStoreSuite(ColdStoreSuite):
    """For stores that outlive their process: what `make_store` opens again holds what it held.

    Attributes:
        kills: how often a writing process is killed.
        most_seconds: how long a process writes at most before it is killed.
        writers: how many processes write at the same time.
    """

    kills: ClassVar[int] = 5
    most_seconds: ClassVar[float] = 0.03
    writers: ClassVar[int] = 4

    def test_what_was_acknowledged_is_there_after_opening_again(self, make_store: MakeStore) -> None:
        """Acknowledged means durable."""
        entries: list[JournalEntry] = [original(O1, "\ud800"), Rewritten(summary(D1, O1))]
        call = DerivedCall("id", "digest", 1, "f", "now")
        with make_store() as store:
            store.append("s", entries, expected=0)
            store.register(call)
        with make_store() as store:
            assert list(store.journal("s")) == entries
            assert store.append("s", [Pruned((D1,))], expected=2) == 3
            assert store.find("digest") == store.by_id("id") == call
            assert store.verify() == ()

    def test_what_was_acknowledged_survives_kills(self, make_store: MakeStore) -> None:
        """A process that writes is killed at random moments, and the next one goes on where it ended."""
        acknowledged = 0
        with make_store():
            pass
        for _ in range(self.kills):
            acknowledged = self._killed(make_store, acknowledged)
        with make_store() as store:
            entries = list(store.journal("s"))
            assert len(entries) == acknowledged
            assert store.verify() == ()

    def _killed(self, make_store: MakeStore, before: int) -> int:
        """The length of the journal after one process wrote to it and was killed: no less than it was told."""
        end, start = os.pipe()
        child = _forked(lambda: _write_for_ever(make_store, before, start))
        os.close(start)
        said = os.read(end, 1)  # it has begun
        time.sleep(random.SystemRandom().uniform(0, self.most_seconds))
        os.kill(child, signal.SIGKILL)
        while part := os.read(end, 65536):
            said += part
        os.close(end)
        os.waitpid(child, 0)
        with make_store() as store:
            entries = list(store.journal("s"))
            assert len(entries) >= before + said.count(b"\n") * 2
            assert len(entries) % 2 == 0, "half of an operation is there"
            for entry in entries[before:]:
                if isinstance(entry, Observed):
                    assert store.fetch_record(entry.record.id) == entry.record
        return len(entries)

    def test_processes_share_a_store(self, make_store: MakeStore) -> None:
        """Several processes write at once, to sessions of their own and to one in common, and nothing is lost."""
        with make_store():
            pass
        children = [_forked(partial(_write_in_company, make_store, f"p{n}")) for n in range(self.writers)]
        assert [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children] == [0] * self.writers
        with make_store() as store:
            assert [len(list(store.journal(f"p{n}"))) for n in range(self.writers)] == [10] * self.writers
            common = [entry.record.id for entry in store.journal("common") if isinstance(entry, Observed)]
            assert len(set(common)) == len(common) == 5 * self.writers
            assert store.verify() == ()


def _forked(work: Callable[[], None]) -> int:
    """The id of a process that does some work and ends with 0, or with 1 after an error."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # a fork beside threads: the child opens all anew
        child = os.fork()
    if child == 0:  # pragma: no cover - it ends without a word to coverage
        try:
            work()
        except BaseException:  # noqa: BLE001 - the parent sees the code, and a reader of the output the reason
            traceback.print_exc()
            os._exit(1)
        os._exit(0)
    return child


def _write_for_ever(make_store: MakeStore, length: int, pipe: int) -> None:  # pragma: no cover - killed
    with make_store() as store:
        os.write(pipe, b"begun")
        while True:
            number = length // 2
            source, derived = SourceId(f"s:o{number}"), DerivedId(f"s:d{number}")
            text = original(source, f"text {number} " * 20)
            length = store.append("s", [text, Rewritten(summary(derived, source, text=f"{number}"))], expected=length)
            os.write(pipe, b"\n")


def _write_in_company(make_store: MakeStore, name: str) -> None:  # pragma: no cover - in a forked process
    with make_store() as store:
        for number in range(10):
            store.append(name, [original(SourceId(f"{name}:o{number}"), f"text {number}")], expected=number)
        for number in range(5):
            _append_in_turn(store, original(SourceId(f"common:{name}{number}"), "the same text"))


def _append_in_turn(store: ColdStore, entry: JournalEntry) -> None:  # pragma: no cover - in a forked process
    """Appends where another process may be faster: then the journal is read again."""
    while True:
        with suppress(StaleSession):
            store.append("common", [entry], expected=len(list(store.journal("common"))))
            return
