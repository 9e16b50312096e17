"""The suite that every cold store passes: its tests are the sentences of `ctxcontracts.coldstore.ColdStore`.

    class TestMyStore(DurableStoreSuite):
        @pytest.fixture
        def make_store(self, tmp_path):
            return lambda: MyStore(tmp_path / "store")

`make_store` opens the store; called again it opens the same one. `ColdStoreSuite` is for stores in memory,
`DurableStoreSuite` (`durable_stores.py`) for those that outlive their process.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator
from typing import TypeAlias

import pytest

from ctxcontracts.coldstore.journal import JournalEntry, Observed, Pruned, Rederived, Rewritten, Started
from ctxcontracts.coldstore.protocol import ColdStore
from ctxcontracts.contracts.registry import DerivedCall
from ctxcontracts.errors import (
    ClosedStoreError,
    ColdStoreError,
    DamagedOriginalError,
    OriginalMissingError,
    ProvenanceError,
    RewritePolicyError,
    StaleSession,
)
from ctxcontracts.spans.doors import user_text
from ctxcontracts.spans.provenance import DerivedId, Role, SourceId
from ctxcontracts.spans.record import digest_of
from ctxcontracts.spans.running import summarizing
from ctxcontracts.spans.text import DerivedStr, expose
from ctxcontracts.testing.forgetting_stores import ForgettingSuite
from ctxcontracts.testing.store_entries import D1, D2, O1, O2, original, summary

__all__ = ["D1", "D2", "O1", "O2", "ColdStoreSuite", "MakeStore", "original", "summary"]

MakeStore: TypeAlias = Callable[[], ColdStore]

ODD_TEXTS = ("", "plain", "Zoë \N{SNOWMAN}\n\ttab", "nul \x00 inside", "lone \ud800 surrogate", "x" * 100_000)


class ColdStoreSuite(ForgettingSuite):
    """Subclass it with a fixture `make_store`."""

    @pytest.fixture
    def make_store(self) -> MakeStore:
        """Opens the store under test."""
        pytest.fail("override the fixture make_store")

    @pytest.fixture
    def store(self, make_store: MakeStore) -> Iterator[ColdStore]:
        """The store under test."""
        with make_store() as store:
            yield store

    def test_what_was_appended_is_the_journal(self, store: ColdStore) -> None:
        """Entries come back as they went in, in order, over several appends."""
        entries: list[JournalEntry] = [
            Started("count"),
            original(O1),
            Rewritten(summary(D1, O1)),
            Rederived(summary(D2, O1, text="shorter"), (D1,)),
            Pruned((D2,)),
        ]
        assert store.append("s", entries[:2], expected=0) == 2
        assert store.append("s", entries[2:], expected=2) == 5
        assert list(store.journal("s")) == entries
        assert list(store.journal("s", after=3)) == entries[3:]
        assert list(store.journal("s", after=5)) == []

    def test_fields_of_newer_versions_survive(self, store: ColdStore) -> None:
        """What this version does not know is kept for the one that does."""
        entry = original(O1)._replace(extra={"x_new": [1, {"deep": None}]}, message={"name": "bob"})
        store.append("s", [entry], expected=0)
        assert list(store.journal("s")) == [entry]

    def test_a_long_journal_comes_back_whole(self, store: ColdStore) -> None:
        """No page boundary loses an entry."""
        entries: list[JournalEntry] = [original(SourceId(f"s:o{n}"), f"text {n}") for n in range(1, 1301)]
        assert store.append("s", entries, expected=0) == 1300
        assert list(store.journal("s")) == entries
        assert list(store.journal("s", after=1000)) == entries[1000:]

    def test_sessions_are_apart(self, store: ColdStore) -> None:
        """A session sees its own entries only, and is listed once it has one."""
        assert store.sessions() == ()
        assert list(store.journal("s")) == []
        assert store.append("empty", [], expected=0) == 0
        store.append("s", [original(O1)], expected=0)
        store.append("t", [original(SourceId("t:o1"))], expected=0)
        assert store.sessions() == ("s", "t")
        assert [entry.record.id for entry in store.journal("t") if isinstance(entry, Observed)] == ["t:o1"]

    @pytest.mark.parametrize("text", ODD_TEXTS, ids=["empty", "plain", "unicode", "nul", "surrogate", "long"])
    def test_an_original_comes_back_as_it_was(self, store: ColdStore, text: str) -> None:
        """Text, origin, role and the rest: nothing is normalised on the way."""
        entry = original(O1, text, role=Role.TOOL)
        store.append("s", [entry], expected=0)
        span = store.fetch(O1)
        assert store.fetch_record(O1) == entry.record
        assert (str(span.text), span.origin, span.role, span.id) == (text, "tool", Role.TOOL, O1)

    def test_a_summary_comes_back_as_it_was(self, store: ColdStore) -> None:
        """A summary is kept too, with its sources."""
        store.append("s", [original(O1), Rewritten(summary(D1, O1))], expected=0)
        span = store.derived(D1)
        assert (span.id, span.sources, str.__str__(expose(span.text))) == (D1, (O1,), "the summary")

    def test_an_unknown_id_is_missing(self, store: ColdStore) -> None:
        """The two kinds of id are apart: neither is found as the other."""
        store.append("s", [original(O1), Rewritten(summary(D1, O1))], expected=0)
        for source in (O2, SourceId(D1)):
            with pytest.raises(OriginalMissingError):
                store.fetch(source)
        for derived in (D2, DerivedId(O1)):
            with pytest.raises(OriginalMissingError):
                store.derived(derived)

    @pytest.mark.parametrize("expected", [0, 3], ids=["behind", "ahead"])
    def test_a_writer_that_missed_something_is_refused(self, store: ColdStore, expected: int) -> None:
        """Of two writers on one session the second has to read first."""
        store.append("s", [original(O1)], expected=0)
        with pytest.raises(StaleSession):
            store.append("s", [original(O2)], expected=expected)
        assert len(list(store.journal("s"))) == 1
        with pytest.raises(OriginalMissingError):
            store.fetch(O2)

    def test_equal_texts_are_two_originals(self, store: ColdStore) -> None:
        """Content is kept once, but each span has its own record."""
        store.append("s", [original(O1, "same"), original(O2, "same", role=Role.TOOL)], expected=0)
        assert [store.fetch(source).origin for source in (O1, O2)] == ["user", "tool"]

    def test_an_id_is_given_once(self, store: ColdStore) -> None:
        """Nothing that is kept can be overwritten, and a refused append leaves nothing behind."""
        store.append("s", [original(O1, "first")], expected=0)
        with pytest.raises(ColdStoreError):
            store.append("s", [original(O2), original(O1, "second")], expected=1)
        with pytest.raises(ColdStoreError):
            store.append("s", [original(O2), original(O2, "second")], expected=1)
        assert store.fetch(O1).text == "first"
        assert len(list(store.journal("s"))) == 1
        with pytest.raises(OriginalMissingError):
            store.fetch(O2)

    def test_a_text_under_a_wrong_digest_is_refused(self, store: ColdStore) -> None:
        """The key is the content's sha256, whatever a record says."""
        record = original(O1).record._replace(digest=digest_of("something else"))
        with pytest.raises(DamagedOriginalError):
            store.append("s", [Observed(record)], expected=0)
        assert store.sessions() == ()

    def test_journals_are_closed_to_summarizers(self, store: ColdStore) -> None:
        """A journal holds the texts of earlier summaries."""
        store.append("s", [original(O1), Rewritten(summary(D1, O1))], expected=0)
        with summarizing("shrink"), pytest.raises(RewritePolicyError):
            store.journal("s")
        with summarizing("shrink"), pytest.raises(RewritePolicyError):
            expose(store.derived(D1).text)

    def test_a_journal_that_was_opened_before_a_summarizer_ran_is_closed_to_it(self, store: ColdStore) -> None:
        """The iterator asks at each entry, and gives the next one when the summarizer has ended."""
        entries: list[JournalEntry] = [original(O1), Rewritten(summary(D1, O1))]
        store.append("s", entries, expected=0)
        reading = store.journal("s")
        first = next(reading)
        with summarizing("shrink"), pytest.raises(RewritePolicyError):
            next(reading)
        assert [first, *reading] == entries

    def test_no_door_takes_the_text_of_a_summary_in_a_journal(self, store: ColdStore) -> None:
        """It is derived text by its type, also where it carries no mark."""
        store.append("s", [original(O1), Rewritten(summary(D1, O1))], expected=0)
        texts = [e.record.text for e in store.journal("s") if isinstance(e, (Observed, Rewritten))]
        assert [isinstance(text, DerivedStr) for text in texts] == [False, True]
        with pytest.raises(ProvenanceError):
            user_text(texts[1])

    def test_a_sound_store_verifies(self, store: ColdStore) -> None:
        """No damage is made up."""
        store.append("s", [original(O1), Rewritten(summary(D1, O1)), Pruned((D1,))], expected=0)
        assert store.verify() == ()

    def test_a_verification_changes_nothing(self, store: ColdStore) -> None:
        """It reads; and a part of a sound store is sound."""
        entries: list[JournalEntry] = [original(O1), Rewritten(summary(D1, O1))]
        store.append("s", entries, expected=0)
        for sample in (1.0, 0.5, 0.0):
            assert store.verify(sample=sample) == ()
        assert list(store.journal("s")) == entries
        assert store.append("s", [Pruned((D1,))], expected=2) == 3

    def test_a_snapshot_is_kept_until_the_next(self, store: ColdStore) -> None:
        """It is of the journal as it is now, and comes back as it was."""
        assert store.snapshot("s") is None
        store.append("s", [original(O1), original(O2, "second")], expected=0)
        store.keep_snapshot("s", "one \ud800", expected=2)
        assert store.snapshot("s") == (2, "one \ud800")
        for wrong in (1, 3):
            with pytest.raises(StaleSession):
                store.keep_snapshot("s", "two", expected=wrong)
        store.append("s", [Pruned((O1,))], expected=2)
        assert store.snapshot("s") == (2, "one \ud800")
        store.keep_snapshot("s", "three", expected=3)
        snapshot = store.snapshot("s")
        assert snapshot == (3, "three")
        assert repr(snapshot) == "<Snapshot of 3 entries>"
        assert store.verify() == ()
        store.keep_snapshot("t", "of nothing", expected=0)
        assert list(store.journal("t")) == []

    def test_a_forgetting_takes_the_snapshot_along(self, store: ColdStore) -> None:
        """It may tell what was forgotten."""
        store.append("s", [original(O1)], expected=0)
        store.keep_snapshot("s", "state", expected=1)
        store.forget(O1, reason="asked for")
        assert store.snapshot("s") is None

    def test_references_that_do_not_resolve_are_all_named(self, store: ColdStore) -> None:
        """`verify` collects: missing sources and unknown ids, each with its place."""
        entries: list[JournalEntry] = [
            original(O1),
            Rewritten(summary(D1, SourceId("s:o8"))),
            Rewritten(summary(D2)),
            Pruned((SourceId("s:o9"),)),
            Rederived(summary(DerivedId("s:d3"), O1), (DerivedId("s:d9"),)),
        ]
        store.append("s", entries, expected=0)
        found = [(damage.where, damage.what) for damage in store.verify()]
        assert [where for where, _ in found] == ["s:d1", "s:d2", "s, entry 3", "s, entry 4"]
        assert all(name in what for name, (_, what) in zip(("o8", "sources", "o9", "d9"), found, strict=True))

    def test_a_closed_store_says_so(self, make_store: MakeStore) -> None:
        """Every call after `close` is refused; closing twice is allowed."""
        store = make_store()
        store.append("s", [original(O1)], expected=0)
        store.close()
        store.close()
        call = DerivedCall("id", "digest", 1, "f", "now")
        for use in (
            lambda: store.append("s", [], expected=1),
            lambda: store.journal("s"),
            lambda: store.fetch(O1),
            lambda: store.fetch_record(O1),
            lambda: store.derived(D1),
            store.sessions,
            store.verify,
            lambda: store.snapshot("s"),
            lambda: store.keep_snapshot("s", "", expected=1),
            lambda: store.forget(O1, reason="gone"),
            lambda: store.register(call),
            lambda: store.find("digest"),
            lambda: store.by_id("id"),
        ):
            with pytest.raises(ClosedStoreError):
                use()

    def test_threads_share_a_store(self, store: ColdStore) -> None:
        """Concurrent writers of sessions of their own lose nothing."""
        errors: list[BaseException] = []

        def write(session: str) -> None:
            try:
                for number in range(20):
                    store.append(session, [original(SourceId(f"{session}:o{number}"))], expected=number)
                    store.fetch(SourceId(f"{session}:o{number}"))
            except BaseException as error:  # noqa: BLE001 - reported by the assertion
                errors.append(error)

        threads = [threading.Thread(target=write, args=(f"t{n}",)) for n in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert not errors
        assert [len(list(store.journal(f"t{n}"))) for n in range(4)] == [20] * 4

    def test_derived_calls_are_found(self, store: ColdStore) -> None:
        """The registry of `@derives`: by id, and the first of a digest; what is kept does not change."""
        first, second = DerivedCall("a", "digest", 4, "f", "1"), DerivedCall("b", "digest", 4, "g", "2")
        store.register(first)
        store.register(second)
        store.register(DerivedCall("a", "other", 9, "h", "3"))
        assert store.find("digest") == first
        assert store.by_id("b") == second
        assert store.by_id("a") == first
        assert store.find("unknown") is store.by_id("unknown") is None
        assert len({store.new_id() for _ in range(100)}) == 100
