"""What `forget` leaves in a SQLite file: no text, no digest, no trace that can be guessed from."""

from __future__ import annotations

import hashlib
import sqlite3
from pathlib import Path

import pytest

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.coldstore import SQLiteStore
from ctxcontracts.coldstore.journal import record_in
from ctxcontracts.coldstore.sqlite_rows import session_row
from ctxcontracts.errors import ColdStoreError, DamagedOriginalError, ForgottenError, StaleRewrite
from ctxcontracts.spans import ObservedSpan, summarizer, user_text
from ctxcontracts.spans.provenance import SourceId
from ctxcontracts.spans.record import ObservedRecord
from ctxcontracts.testing.store_entries import O1, O2, original
from tests.support.buffers import WORDS, filled, ids, shrink, state
from tests.support.small_store import sql, with_one_original

SECRET = "the code of the safe is 4711"
REASON = "asked for"


def everything(folder: Path) -> bytes:
    return b"".join(path.read_bytes() for path in folder.iterdir())


@pytest.mark.parametrize("size", [1, 40, 3000], ids=["small", "page", "pages"])
def test_nothing_of_a_text_is_left_in_any_file(tmp_path: Path, size: int) -> None:
    """Not in rows, not in free pages, not in the log; its digest is gone too, and so is what was made from it."""
    path = tmp_path / "store.db"
    with ContextBuffer.open(path, "s") as buffer:
        for number in range(40):
            spans = [
                buffer.observe(user_text(f"{number} {WORDS}")),
                buffer.observe(user_text(f"{SECRET} {number} " * size)),
            ]
            if number % 2:
                buffer.rewrite(spans, telling)
        records = [record for entry in buffer.store.journal("s") if (record := record_in(entry)) is not None]
        secret = [record for record in records if SECRET in str.__str__(record.text)]
        assert SECRET.encode() in everything(tmp_path)
        done = buffer.forget([r.id for r in secret if isinstance(r, ObservedRecord)], reason=REASON)
        assert len(done.originals) == 40
        assert len(done.derived) == 20
        for left in (everything(tmp_path), _closed(buffer, tmp_path)):
            assert SECRET.encode() not in left
            for record in secret:
                assert record.digest.encode() not in left
                assert bytes.fromhex(record.digest) not in left


@summarizer
def telling(spans: list[ObservedSpan]) -> str:
    return f"{spans[1].text[:40]} was said"


def _closed(buffer: ContextBuffer, folder: Path) -> bytes:
    buffer.close()
    return everything(folder)


def test_a_window_goes_on_without_what_was_forgotten(tmp_path: Path) -> None:
    """Live spans, summaries and their re-derivations leave; the rest keeps its order, now and after opening again."""
    path = tmp_path / "store.db"
    with ContextBuffer.open(path, "s") as buffer:
        _, spans = filled(7, buffer)
        one, two = buffer.rewrite(spans[:2], shrink), buffer.rewrite(spans[2:4], shrink)
        buffer.rederive([one, two], shrink)
        buffer.prune(spans[4])
        done = buffer.forget([spans[0].id, spans[4].id, spans[5].id], reason=REASON)
        assert set(done.derived) == {"s:d1", "s:d3"}
        assert ids(buffer) == ["o7"]
        assert buffer.tokens == spans[6].tokens
        assert buffer.rewritten_into(spans[2].id) == "s:d3"
        with pytest.raises(ForgottenError):
            buffer.original(spans[0].id)
        with pytest.raises(StaleRewrite):
            buffer.rewrite(spans[5], shrink)
        assert buffer.prune([spans[5], spans[0]]) == ()
        new = buffer.observe(user_text(f"more {WORDS}"))
        assert new.id == "s:o8"
        assert buffer.rewrite([spans[6], new], shrink).id == "s:d4"
        assert buffer.verify().ok
        assert buffer.store.verify() == ()
        after = state(buffer)
    with ContextBuffer.open(path, "s") as buffer:
        assert state(buffer) == after


def test_another_buffer_learns_of_it_before_it_writes(tmp_path: Path) -> None:
    """It is stale, reads the journal again, and goes on."""
    path = tmp_path / "store.db"
    with ContextBuffer.open(path, "s") as one, ContextBuffer.open(path, "s") as two:
        _, spans = filled(2, one)
        two.reload()
        one.forget(spans[0].id, reason=REASON)
        with pytest.raises(Exception, match="another buffer or process wrote to it"):
            two.observe(user_text("more"))
        two.reload()
        two.observe(user_text("more"))
        assert ids(two) == ["o2", "o3"]


async def test_forgetting_and_reading_again_off_the_loop(tmp_path: Path) -> None:
    """The same, for agents that run on a loop."""
    with ContextBuffer.open(tmp_path / "store.db", "s") as buffer:
        one = await buffer.aobserve(user_text("one"))
        (two,) = await buffer.aobserve_all([user_text("two")])
        await buffer.aforget(one.id, reason=REASON)
        await buffer.areload()
        assert buffer.spans == (two,)
        assert await buffer.aprune(two) == (two.id,)


def test_a_reader_elsewhere_keeps_the_log_and_that_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """That the log still holds the text is in the report, and the next call mends it."""
    path = with_one_original(tmp_path / "store.db")
    with SQLiteStore(path) as store:
        monkeypatch.setattr("ctxcontracts.coldstore.sqlite_forget.BUSY_SECONDS", 0.05)
        other = sqlite3.connect(path, isolation_level=None)
        other.execute("BEGIN")
        other.execute("SELECT count(*) FROM blobs").fetchone()
        assert not store.forget(O1, reason=REASON).scrubbed
        other.execute("ROLLBACK")
        assert store.forget(O1, reason=REASON).scrubbed
        assert b"the original" not in everything(tmp_path)
        monkeypatch.setattr("ctxcontracts.coldstore.sqlite.scrub", _failing)
        assert not store.forget(O2, reason=REASON).scrubbed
        other.close()


def _failing(_: sqlite3.Connection) -> bool:
    raise sqlite3.OperationalError("disk I/O error")


TAMPERED = {
    "a tombstone is changed": """UPDATE journal SET entry = replace(entry, '[]', '["s:o2"]') WHERE number = 0""",
    "an entry is buried behind the log": """UPDATE journal SET salt = NULL WHERE number = 1""",
    "the log is changed": """UPDATE journal SET entry = replace(entry, 'asked', 'ASKED') WHERE number = 2""",
}


@pytest.mark.parametrize("statement", TAMPERED.values(), ids=TAMPERED)
def test_a_tombstone_stands_only_where_the_log_says_so(tmp_path: Path, statement: str) -> None:
    """Nobody can put one in the place of an original and call it forgotten."""
    path = with_one_original(tmp_path / "store.db")
    with SQLiteStore(path) as store:
        store.forget(O1, reason=REASON)
        assert store.verify() == ()
    sql(path, statement)
    with SQLiteStore(path) as store:
        assert store.verify()


def test_an_entry_without_its_salt_is_not_read(tmp_path: Path) -> None:
    """Only a tombstone has none."""
    path = with_one_original(tmp_path / "store.db")
    sql(path, "UPDATE journal SET salt = NULL WHERE number = 1")
    with SQLiteStore(path) as store:
        with pytest.raises(ColdStoreError):
            list(store.journal("s"))
        with pytest.raises(DamagedOriginalError):
            store.fetch(O2)


def test_a_damaged_original_cannot_be_forgotten_by_its_digest_alone(tmp_path: Path) -> None:
    """Damage is told before anything is changed."""
    path = with_one_original(tmp_path / "store.db")
    sql(path, "UPDATE blobs SET content = zeroblob(3) WHERE rowid = 1")
    with SQLiteStore(path) as store:
        with pytest.raises(DamagedOriginalError):
            store.forget(O1, reason=REASON)
        assert session_row(store._writer.connection, "", "s").length == 2


def test_namespaces_forget_apart(tmp_path: Path) -> None:
    """The same text of another tenant stays, and is not told of."""
    path = tmp_path / "store.db"
    for namespace in ("one", "two"):
        with SQLiteStore(path, namespace=namespace) as store:
            store.append("s", [original(O1, SECRET)], expected=0)
    with SQLiteStore(path, namespace="one") as store:
        done = store.forget(O1, reason=REASON, key=b"k" * 16)
        assert done.same_text == ()
    with SQLiteStore(path, namespace="two") as store:
        assert store.fetch(O1).text == SECRET
        store.forget(SourceId(O1), reason=REASON)
    assert SECRET.encode() not in everything(tmp_path)
    assert hashlib.sha256(SECRET.encode()).hexdigest().encode() not in everything(tmp_path)
