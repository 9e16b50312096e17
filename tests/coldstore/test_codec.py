"""Journal entries as JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given

from ctxcontracts.coldstore import Pruned, Rederived, Rewritten, Started
from ctxcontracts.coldstore.codec import decoded, encoded
from ctxcontracts.coldstore.content import bytes_of, digest_of_bytes, digest_once, text_of
from ctxcontracts.coldstore.journal import Forgotten, JournalEntry, Tombstone, Trace, record_in
from ctxcontracts.errors import ColdStoreError, StoreVersionError
from ctxcontracts.spans.record import digest_of
from ctxcontracts.testing.stores import D1, D2, O1, original, summary
from ctxcontracts.testing.strategies import journal_entries, texts


@given(journal_entries())
def test_an_entry_survives_the_way_there_and_back(entry: JournalEntry) -> None:
    """Every kind, with the fields of newer versions."""
    record = record_in(entry)
    kept = {} if record is None else {record.digest: record.text}
    line = encoded(entry)
    assert decoded(line, kept.__getitem__) == entry
    assert line.isascii()


@given(journal_entries())
def test_an_entry_holds_no_text(entry: JournalEntry) -> None:
    """Texts live in blobs alone, so that forgetting one needs no change of the journal."""
    assert "text" not in json.loads(encoded(entry))


def test_what_this_version_knows_wins_over_a_preserved_field() -> None:
    """A preserved field cannot change what an entry says."""
    entry = Pruned((O1,), {"ids": ["other"], "kind": "observed", "x": 1})
    assert json.loads(encoded(entry)) == {"ids": [O1], "kind": "pruned", "v": 1, "x": 1}


@pytest.mark.parametrize(
    "line",
    [
        '{"v":1,"kind":"unheard","ids":[]}',
        '{"v":2,"kind":"pruned","ids":[]}',
        '{"v":"1","kind":"pruned","ids":[]}',
        '{"v":1,"kind":["pruned"],"ids":[]}',
    ],
    ids=["kind", "version", "version of another type", "kind of another type"],
)
def test_what_only_a_newer_version_understands_is_refused(line: str) -> None:
    """A reader that guessed would rebuild a wrong window."""
    with pytest.raises(StoreVersionError):
        decoded(line, str)


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[]",
        '{"kind":"pruned"}',
        '{"v":1}',
        "{",
        '{"v":1,"kind":"pruned"}',
        '{"v":1,"kind":"pruned","ids":"s:o1"}',
        '{"v":1,"kind":"pruned","ids":[1]}',
        '{"v":1,"kind":"started","counter":3}',
        '{"v":2,"kind":"tombstone","id":"s:o1","left":3}',
        '{"v":2,"kind":"forgotten","reason":"r","traces":[["s:o1",1,"x"]]}',
        json.dumps({**json.loads(encoded(original(O1))), "role": "nobody"}),
        json.dumps({**json.loads(encoded(original(O1))), "message": 3}),
        json.dumps({**json.loads(encoded(original(O1))), "pinned": "no"}),
    ],
)
def test_a_line_that_is_no_entry_is_refused(line: str) -> None:
    """Damage is an error of ours that says what to do."""
    with pytest.raises(ColdStoreError, match="verify"):
        decoded(line, str)


def test_an_entry_shows_no_text() -> None:
    """Kinds, ids and lengths."""
    assert repr(Started("count")) == "<Started, counting with count>"
    assert repr(original(O1)) == "<Observed <ObservedRecord s:o1 from user, 8 characters>>"
    assert repr(Rewritten(summary(D1, O1))) == "<Rewritten <DerivedRecord s:d1 of 1 sources, 11 characters>>"
    assert repr(Rederived(summary(D2, O1), (D1,))).endswith("11 characters> for s:d1>")
    assert repr(Pruned((O1, D1))) == "<Pruned s:o1, s:d1>"
    assert repr(Tombstone(D1, (O1,))) == "<Tombstone of s:d1>"
    assert repr(Forgotten("asked for", (Trace(O1, 0, "", ""), Trace(D1, 1, "", "")))) == "<Forgotten s:o1, s:d1>"


@given(texts())
def test_bytes_and_digests_belong_to_the_text(text: str) -> None:
    """The bytes that are kept are the ones that the digest is of."""
    assert text_of(bytes_of(text)) == text
    assert digest_of_bytes(bytes_of(text)) == digest_of(text) == digest_once(text) == digest_once(text)
