"""What `verify` and every reading find in a SQLite store: one thing is broken, and it is named."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import pytest

from ctxcontracts.coldstore import SQLiteStore
from ctxcontracts.contracts.registry import DerivedCall
from ctxcontracts.errors import ColdStoreError, DamagedOriginalError, OriginalMissingError
from ctxcontracts.testing.stores import O1, O2, original
from tests.support.small_store import sql, with_one_original


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


DAMAGE = {
    "changed text": ("UPDATE blobs SET content = 'x' || 'y' WHERE rowid = 1", "sha256"),
    "lost text": ("DELETE FROM blobs WHERE rowid = 1", "s, entry 0"),
    "lost entry": ("DELETE FROM journal WHERE number = 0", "s, entry 1"),
    "unreadable entry": ("UPDATE journal SET entry = '{}' WHERE number = 0", "s, entry 0"),
    "wrong index": ("UPDATE records SET number = 1 WHERE id = 's:o1'", "s:o1"),
    "lost index": ("DELETE FROM records WHERE id = 's:o1'", "s:o1"),
    "index to nowhere": ("INSERT INTO records VALUES ('', 's:o9', 1, 99)", "s:o9"),
}


@pytest.mark.parametrize(("statement", "where"), DAMAGE.values(), ids=DAMAGE)
def test_verify_names_each_damage(path: Path, statement: str, where: str) -> None:
    """One thing is broken, and its place is among what is found."""
    sql(with_one_original(path), statement.replace("'x' || 'y'", "CAST('xy' AS BLOB)"))
    with SQLiteStore(path) as store:
        assert where in [damage.where.split()[0] if where == "sha256" else damage.where for damage in store.verify()]


def test_verify_finds_all_damage(path: Path) -> None:
    """Not the first only."""
    sql(with_one_original(path), DAMAGE["lost text"][0], DAMAGE["lost index"][0], DAMAGE["index to nowhere"][0])
    with SQLiteStore(path) as store:
        assert {"s, entry 0", "s:o9"} <= {damage.where for damage in store.verify()}


def test_verify_reports_pages_that_cannot_be_read(path: Path) -> None:
    """Damage below the tables ends one part of the search, not the others."""
    with SQLiteStore(path) as store:
        store.append("s", [original(O1, "y" * 50_000), original(O2, "z" * 50_000)], expected=0)
    content = bytearray(path.read_bytes())
    for page in range(2, len(content) // 4096):
        content[page * 4096 : page * 4096 + 100] = b"\xff" * 100
    path.write_bytes(content)
    with SQLiteStore(path) as store:
        assert {damage.where for damage in store.verify()} == {"the file"}


def test_verify_reports_what_sqlite_says(path: Path) -> None:
    """A wrong count of free pages changes no answer today, and will tomorrow."""
    content = bytearray(with_one_original(path).read_bytes())
    content[36:40] = (5).to_bytes(4, "big")
    path.write_bytes(content)
    with SQLiteStore(path) as store:
        assert [damage.where for damage in store.verify()] == ["the file"]


def test_a_changed_text_is_noticed_when_read(path: Path) -> None:
    """The digest is recomputed on every read, and the span is named."""
    sql(with_one_original(path), "UPDATE blobs SET content = CAST('xy' AS BLOB) WHERE rowid = 1")
    with SQLiteStore(path) as store:
        with pytest.raises(DamagedOriginalError, match=O1):
            store.fetch(O1)
        with pytest.raises(DamagedOriginalError):
            store.journal("s")


def test_a_changed_text_is_noticed_when_it_is_put_again(path: Path) -> None:
    """The store does not acknowledge a text that it could not give back."""
    sql(with_one_original(path), "UPDATE blobs SET content = CAST('xy' AS BLOB) WHERE rowid = 1")
    with SQLiteStore(path) as store:
        with pytest.raises(DamagedOriginalError):
            store.append("t", [original(O1, "the original")._replace()], expected=0)
        assert store.sessions() == ("s",)


def test_a_lost_text_is_noticed_when_read(path: Path) -> None:
    """It is missing, not empty."""
    sql(with_one_original(path), "DELETE FROM blobs WHERE rowid = 1")
    with SQLiteStore(path) as store, pytest.raises(OriginalMissingError, match=O1):
        store.fetch(O1)


def test_a_lost_entry_is_noticed_when_the_journal_is_read(path: Path) -> None:
    """A journal with a hole would rebuild a wrong window."""
    sql(with_one_original(path), "DELETE FROM journal WHERE number = 0")
    with SQLiteStore(path) as store, pytest.raises(ColdStoreError, match="entry 0 of session s is missing"):
        store.journal("s")


def test_a_journal_that_is_gone_is_noticed(path: Path) -> None:
    """An empty journal where there was one would make a session begin anew."""
    sql(with_one_original(path), "DELETE FROM journal")
    with SQLiteStore(path) as store:
        with pytest.raises(ColdStoreError, match="entry 0 of session s is missing"):
            store.journal("s")
        assert "s, entry 1" in [damage.where for damage in store.verify()]


MORE_DAMAGE = {
    "changed entry": (
        """UPDATE journal SET entry = replace(entry, '"tokens":2', '"tokens":3') WHERE number = 0""",
        "s, entry 0",
    ),
    "changed time": ("UPDATE journal SET at = at + 1 WHERE number = 1", "s, entry 1"),
    "changed seal": ("UPDATE journal SET seal = zeroblob(32) WHERE number = 1", "s, entry 1"),
    "lost end": ("DELETE FROM journal WHERE number = 1", "s, entry 1"),
    "other session": ("UPDATE sessions SET name = 't'", "t, entry 0"),
    "other shape": ("UPDATE sessions SET length = 1", "s, entry 0"),
    "changed call": ("UPDATE derived_calls SET function = 'g'", "derived call id"),
    "other tables": ("CREATE TABLE more (x)", "the file"),
}


@pytest.mark.parametrize(("statement", "where"), MORE_DAMAGE.values(), ids=MORE_DAMAGE)
def test_verify_finds_what_the_chain_and_the_seals_tell(path: Path, statement: str, where: str) -> None:
    """A change that leaves every digest right is found by the hash of what surrounds it."""
    with SQLiteStore(with_one_original(path)) as store:
        store.register(DerivedCall("id", "digest", 1, "f", "now"))
    sql(path, statement)
    with SQLiteStore(path) as store:
        assert where in [damage.where for damage in store.verify()]


@pytest.mark.parametrize("change", ["changed entry", "changed time", "changed seal", "lost end", "other shape"])
def test_a_journal_that_was_changed_is_not_read(path: Path, change: str) -> None:
    """The chain is checked on the way, entry by entry and at the end."""
    sql(with_one_original(path), MORE_DAMAGE[change][0])
    with SQLiteStore(path) as store, pytest.raises(ColdStoreError, match=r"verify\(\)"):
        list(store.journal("s"))


def test_a_fetched_record_stands_in_the_entry_that_was_written(path: Path) -> None:
    """A changed entry, and an index that leads to another original, give no answer."""
    sql(with_one_original(path), MORE_DAMAGE["changed entry"][0], "UPDATE records SET number = 0 WHERE id = 's:o2'")
    with SQLiteStore(path) as store:
        for source in (O1, O2):
            with pytest.raises(DamagedOriginalError, match=source):
                store.fetch(source)


def test_a_row_of_the_wrong_shape_is_damage(path: Path) -> None:
    """SQLite gives back what a flipped bit made of a type."""
    with_one_original(path)
    other = sqlite3.connect(path)
    other.execute("PRAGMA writable_schema = ON")
    other.execute("UPDATE sqlite_schema SET sql = replace(sql, 'STRICT', '') WHERE name = 'journal'")
    other.execute("UPDATE sqlite_schema SET sql = replace(sql, ', WITHOUT', 'WITHOUT') WHERE name = 'journal'")
    other.commit()
    other.close()
    sql(path, "UPDATE journal SET seal = 'x', at = 'y' WHERE number = 0")
    with SQLiteStore(path) as store:
        with pytest.raises(ColdStoreError, match="a row that is not what was written"):
            store.journal("s")
        assert "a row is not what was written: AttributeError" in [damage.what for damage in store.verify()]


def test_a_sample_reads_a_part(path: Path) -> None:
    """None of it finds nothing, all of it finds all."""
    sql(with_one_original(path), "UPDATE blobs SET content = zeroblob(3)")
    with SQLiteStore(path) as store:
        assert store.verify(sample=0) == ()
        assert len(store.verify()) == 2
