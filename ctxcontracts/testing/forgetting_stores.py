"""What every store promises of `forget`; part of `ColdStoreSuite`."""

from __future__ import annotations

import hashlib
import hmac

import pytest

from ctxcontracts.coldstore.journal import Forgotten, JournalEntry, Observed, Pruned, Rederived, Rewritten, Tombstone
from ctxcontracts.coldstore.protocol import ColdStore
from ctxcontracts.contracts.registry import DerivedCall, digest_of_whole
from ctxcontracts.errors import ColdStoreError, ForgottenError, OriginalMissingError, StaleSession
from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.record import digest_of
from ctxcontracts.testing.store_entries import D1, D2, O1, O2, original, summary

O3, D3 = SourceId("s:o3"), DerivedId("s:d3")
KEY = b"0123456789abcdef"
REASON = "the user asked for it"


class ForgettingSuite:
    """The sentences of `ColdStore.forget`, for a fixture `store`."""

    def test_an_original_is_forgotten_with_what_was_made_from_it(self, store: ColdStore) -> None:
        """Its summaries go too; what was made from others only stays."""
        kept: list[JournalEntry] = [original(O3, "third"), Rewritten(summary(D3, O3, text="of the third"))]
        store.append("s", [original(O1, "first"), original(O2, "second"), *kept], expected=0)
        store.append(
            "s", [Rewritten(summary(D1, O1, O2)), Rederived(summary(D2, O1, O2, text="new"), (D1,))], expected=4
        )
        done = store.forget(O1, reason=REASON)
        assert (done.originals, set(done.derived), done.same_text) == ((O1,), {D1, D2}, ())
        assert done.scrubbed
        for read in (lambda: store.fetch(O1), lambda: store.derived(D1), lambda: store.derived(D2)):
            with pytest.raises(ForgottenError):
                read()
        assert store.fetch(O2).text == "second"
        assert store.derived(D3).sources == (O3,)
        first, _, *middle, one, two, log = store.journal("s")
        assert (first, one, two) == (Tombstone(O1, ()), Tombstone(D1, (O1, O2)), Tombstone(D2, (D1,)))
        assert middle == kept
        assert isinstance(log, Forgotten)
        assert store.verify() == ()

    def test_a_forgetting_is_logged_with_a_keyed_hash(self, store: ColdStore) -> None:
        """The reason, the ids, and what proves to the holder of the key which text it was."""
        store.append("s", [original(O1, "a guessable text")], expected=0)
        done = store.forget([O1], reason=REASON, key=KEY)
        *_, log = store.journal("s")
        assert isinstance(log, Forgotten)
        assert (log.reason, [(trace.id, trace.number) for trace in log.traces]) == (REASON, [(O1, 0)])
        assert log.traces[0].keyed == hmac.new(KEY, b"a guessable text", hashlib.sha256).hexdigest()
        assert digest_of("a guessable text") not in repr((log, log.traces))
        assert done.key == KEY
        assert "guessable" not in repr(done)

    def test_a_forgotten_id_is_not_given_again(self, store: ColdStore) -> None:
        """Nor is it forgotten twice."""
        store.append("s", [original(O1), original(O2, "other")], expected=0)
        store.forget([O1, O1], reason=REASON)
        again = store.forget([O1], reason=REASON)
        assert (again.originals, again.derived) == ((), ())
        with pytest.raises(ColdStoreError):
            store.append("s", [original(O1)], expected=3)
        assert store.append("s", [Pruned((O1, O2))], expected=3) == 4
        assert store.verify() == ()

    def test_a_writer_that_missed_a_forgetting_is_refused(self, store: ColdStore) -> None:
        """A buffer that still shows the text learns of it before it writes."""
        store.append("s", [original(O1)], expected=0)
        store.forget(O1, reason=REASON)
        with pytest.raises(StaleSession):
            store.append("s", [Pruned((O1,))], expected=1)

    def test_a_text_that_another_span_holds_is_told(self, store: ColdStore) -> None:
        """It stays for that one, in whatever session."""
        store.append("s", [original(O1, "same")], expected=0)
        store.append("t", [original(SourceId("t:o1"), "same")], expected=0)
        done = store.forget(O1, reason=REASON)
        assert done.same_text == ("t:o1",)
        assert store.fetch(SourceId("t:o1")).text == "same"
        assert [isinstance(entry, Observed) for entry in store.journal("t")] == [True]
        assert store.verify() == ()

    def test_the_calls_of_derives_with_that_text_go_too(self, store: ColdStore) -> None:
        """A registry keeps digests of texts that can be guessed."""
        text = "the summary that somebody wrote"
        store.append("s", [original(O1), Rewritten(summary(D1, O1, text=text))], expected=0)
        store.register(DerivedCall("a", digest_of_whole(text), len(text), "f", "1"))
        store.register(DerivedCall("b", "another digest", 1, "f", "1"))
        store.forget(O1, reason=REASON)
        assert store.find(digest_of_whole(text)) is store.by_id("a") is None
        assert store.by_id("b") is not None

    @pytest.mark.parametrize("wrong", [O2, D1, "s:\n", 3], ids=["unknown", "a summary", "no id", "a number"])
    def test_what_is_no_original_is_not_forgotten(self, store: ColdStore, wrong: SourceId) -> None:
        """Then nothing is."""
        entries: list[JournalEntry] = [original(O1), Rewritten(summary(D1, O1))]
        store.append("s", entries, expected=0)
        with pytest.raises(OriginalMissingError):
            store.forget([O1, wrong], reason=REASON)
        assert list(store.journal("s")) == entries

    def test_a_forgetting_has_a_reason_and_a_key_that_is_one(self, store: ColdStore) -> None:
        """Both stay for ever."""
        store.append("s", [original(O1)], expected=0)
        for reason, key in ((" ", None), (REASON, b"short"), (REASON, "0123456789abcdef"), (None, None)):
            with pytest.raises(ColdStoreError, match="forget"):
                store.forget(O1, reason=reason, key=key)  # type: ignore[arg-type]
        assert store.fetch(O1).id == O1
