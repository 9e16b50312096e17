"""The SQLite store: the suite, the errors of its environment, and damage."""

from __future__ import annotations

import contextlib
import multiprocessing
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from ctxcontracts.coldstore import SQLiteStore, sqlite_fault, sqlite_schema
from ctxcontracts.coldstore.sqlite_fault import fault
from ctxcontracts.coldstore.sqlite_schema import APPLICATION_ID, SCHEMA_VERSION
from ctxcontracts.errors import ColdStoreError, DamagedOriginalError, OriginalMissingError, StoreVersionError
from ctxcontracts.spans.provenance import SourceId
from ctxcontracts.testing.stores import O1, O2, DurableStoreSuite, MakeStore, original
from tests.support.unprivileged import open_folder, output_unprivileged


class TestSQLiteStore(DurableStoreSuite):
    """The suite on a file."""

    @pytest.fixture
    def make_store(self, tmp_path: Path) -> MakeStore:
        return lambda: SQLiteStore(tmp_path / "store.db")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


def sql(path: Path, *statements: str) -> None:
    connection = sqlite3.connect(path)
    for statement in statements:
        connection.execute(statement)
    connection.commit()
    connection.close()


def with_one_original(path: Path) -> Path:
    with SQLiteStore(path) as store:
        store.append("s", [original(O1, "the original"), original(O2, "another")], expected=0)
    return path


def test_writes_are_synced_to_the_disk(path: Path) -> None:
    """The settings that a power loss asks for."""
    with SQLiteStore(path) as store:
        assert store._connection is not None
        assert store._connection.execute("PRAGMA synchronous").fetchone() == (2,)
        assert store._connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert str(path) in repr(store)


def test_a_text_is_kept_once(path: Path) -> None:
    """Equal texts share a blob."""
    with SQLiteStore(path) as store:
        store.append("s", [original(O1, "same"), original(O2, "same")], expected=0)
    rows = sqlite3.connect(path)
    assert rows.execute("SELECT count(*) FROM blobs").fetchone() == (1,)
    rows.close()


# --- files that are not ours, or not usable ------------------------------------------------------------------------


def test_a_newer_schema_is_refused_and_left_alone(path: Path) -> None:
    """An old program must not write into a new store."""
    with_one_original(path)
    sql(path, f"PRAGMA user_version = {SCHEMA_VERSION + 1}")
    before = path.read_bytes()
    with pytest.raises(StoreVersionError, match="update ctxcontracts"):
        SQLiteStore(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "statement",
    ["CREATE TABLE notes (x)", "PRAGMA application_id = 7", "PRAGMA user_version = 3"],
    ids=["tables", "application", "version"],
)
def test_a_database_of_another_program_is_refused_and_left_alone(path: Path, statement: str) -> None:
    """No table of ours appears in somebody else's file."""
    sql(path, statement)
    before = path.read_bytes()
    with pytest.raises(StoreVersionError, match="another program"):
        SQLiteStore(path)
    assert path.read_bytes() == before


def test_a_file_that_is_no_database_is_refused(path: Path) -> None:
    """A wrong path does not cost the file."""
    path.write_text("notes of a person, " * 100)
    with pytest.raises(StoreVersionError, match="no SQLite database"):
        SQLiteStore(path)
    assert path.read_text().startswith("notes")


@pytest.mark.parametrize(
    ("name", "advice"),
    [("missing/store.db", "create the folder first"), (".", "name a file inside it")],
    ids=["missing folder", "a folder"],
)
def test_a_wrong_path_says_what_to_do(tmp_path: Path, name: str, advice: str) -> None:
    """Each mistake has its own advice."""
    with pytest.raises(ColdStoreError, match=advice):
        SQLiteStore(tmp_path / name)


def test_a_store_in_memory_is_refused() -> None:
    """SQLite's own memory databases have no log and would not be durable."""
    with pytest.raises(ColdStoreError, match=r"MemoryStore\(\)"):
        SQLiteStore(":memory:")


_OPEN = """
try:
    SQLiteStore({path!r})
except ColdStoreError as error:
    print(error)
"""


@pytest.mark.parametrize("mode", [0o444, 0o000], ids=["read-only", "unreadable"])
def test_a_file_without_permission_says_so(mode: int) -> None:
    """What the user may not do is named, with what to ask for."""
    imports = "from ctxcontracts.coldstore import SQLiteStore\nfrom ctxcontracts.errors import ColdStoreError"
    with open_folder() as folder:
        path = with_one_original(folder / "store.db")
        path.chmod(mode)
        said = output_unprivileged(imports, _OPEN.format(path=str(path)))
    assert "could not open" in said
    assert "give this user the right" in said


def test_a_locked_file_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the wait, not before, and nothing is changed."""
    monkeypatch.setattr(sqlite_schema, "BUSY_SECONDS", 0.05)
    other = sqlite3.connect(with_one_original(path), isolation_level=None)
    with SQLiteStore(path) as store:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(ColdStoreError, match="locked by another process"):
            store.append("s", [original(O1)], expected=2)
        other.execute("ROLLBACK")
        assert len(list(store.journal("s"))) == 2
    other.close()


def test_a_store_that_stays_locked_while_it_is_made_says_so(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The switch to the log waits as long as everything else."""
    monkeypatch.setattr(sqlite_schema, "BUSY_SECONDS", 0.05)
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(ColdStoreError, match="locked by another process"):
        SQLiteStore(path)
    other.close()


def test_two_processes_may_make_the_store_at_once(path: Path) -> None:
    """Whoever comes second finds the tables."""
    code = f"from ctxcontracts.coldstore import SQLiteStore; SQLiteStore({str(path)!r}).close()"
    children = [subprocess.Popen([sys.executable, "-c", code]) for _ in range(4)]
    assert [child.wait() for child in children] == [0] * 4


def test_a_store_that_is_made_between_two_questions_is_not_foreign(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What a file is, is asked at one moment, however slow the asking."""
    ask, makers = sqlite_schema._pragma, []
    code = f"from ctxcontracts.coldstore import SQLiteStore; SQLiteStore({str(path)!r}).close()"

    def slow(connection: sqlite3.Connection, name: str) -> int:
        answer = ask(connection, name)
        if not makers:
            makers.append(subprocess.Popen([sys.executable, "-c", code]))
            with contextlib.suppress(subprocess.TimeoutExpired):
                makers[0].wait(timeout=1)
        return answer

    monkeypatch.setattr(sqlite_schema, "_pragma", slow)
    SQLiteStore(path).close()
    assert makers[0].wait() == 0


def test_whoever_is_second_to_make_the_store_makes_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The tables appeared between the look and the lock."""
    switch = sqlite_schema._use_write_ahead_log

    def slow(connection: sqlite3.Connection, where: Path) -> None:
        switch(connection, where)
        monkeypatch.setattr(sqlite_schema, "_use_write_ahead_log", switch)
        with_one_original(where)

    monkeypatch.setattr(sqlite_schema, "_use_write_ahead_log", slow)
    with SQLiteStore(path) as store:
        assert store.fetch(O1).text == "the original"


def test_tables_that_cannot_be_made_leave_nothing(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A half-made store would look like somebody else's file."""
    monkeypatch.setattr(sqlite_schema, "_TABLES", (*sqlite_schema._TABLES, "CREATE NONSENSE"))
    with pytest.raises(ColdStoreError, match="SQLite says"):
        SQLiteStore(path)
    monkeypatch.undo()
    SQLiteStore(path).close()


def test_a_full_disk_changes_nothing(path: Path) -> None:
    """The append is refused as a whole, and works once there is space."""
    with SQLiteStore(path) as store:
        store.append("s", [original(O1)], expected=0)
        assert store._connection is not None
        (pages,) = store._connection.execute("PRAGMA page_count").fetchone()
        store._connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(ColdStoreError, match="free some space"):
            store.append("s", [original(O2, "x" * 100_000)], expected=1)
        store._connection.execute("PRAGMA max_page_count = 100000")
        assert store.append("s", [original(O2, "x" * 100_000)], expected=1) == 2
        assert store.verify() == ()


@pytest.mark.parametrize(
    "code",
    [
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_CORRUPT,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_NOTADB,
        sqlite3.SQLITE_MISUSE,
    ],
)
def test_every_error_of_sqlite_says_what_to_do(path: Path, code: int) -> None:
    """Extended codes too: only the low byte counts."""
    error = sqlite3.OperationalError("anything")
    error.sqlite_errorcode = code | (7 << 8)
    ours = fault(error, path, "open")
    assert ours.instead
    assert str(path) in ours.happened


def test_an_error_without_a_code_is_still_ours(path: Path) -> None:
    """Errors of the Python module itself carry none."""
    with pytest.raises(ColdStoreError, match="SQLite says: closed"), sqlite_fault.explained(path, "read"):
        raise sqlite3.ProgrammingError("closed")


def test_a_commit_that_ends_its_own_transaction_is_reported(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """SQLite rolls back by itself after some errors: no second error hides the first."""
    with SQLiteStore(path) as store:

        def put_and_end(connection: sqlite3.Connection, *_: object) -> None:
            connection.execute("ROLLBACK")
            raise sqlite3.OperationalError("disk went away")

        monkeypatch.setattr("ctxcontracts.coldstore.sqlite._put_text", put_and_end)
        with pytest.raises(ColdStoreError, match="disk went away"):
            store.append("s", [original(O1)], expected=0)
        monkeypatch.undo()
        assert store.append("s", [original(O1)], expected=0) == 1


def _use_after_fork(store: SQLiteStore, answers: multiprocessing.queues.Queue[str]) -> None:
    try:
        store.fetch(O1)
    except ColdStoreError as error:
        answers.put(str(error))


def test_a_forked_process_has_to_open_the_store_again(path: Path) -> None:
    """A connection that two processes share would damage the file."""
    context = multiprocessing.get_context("fork")
    answers = context.Queue()
    with SQLiteStore(with_one_original(path)) as store:
        child = context.Process(target=_use_after_fork, args=(store, answers))
        child.start()
        assert "open the store again in each process" in answers.get(timeout=20)
        child.join()


# --- damage --------------------------------------------------------------------------------------------------------


DAMAGE = {
    "changed text": ("UPDATE blobs SET content = 'x' || 'y' WHERE rowid = 1", "sha256"),
    "lost text": ("DELETE FROM blobs WHERE rowid = 1", "s, entry 0"),
    "lost entry": ("DELETE FROM journal WHERE number = 0", "s, entry 1"),
    "unreadable entry": ("UPDATE journal SET entry = '{}' WHERE number = 0", "s, entry 0"),
    "wrong index": ("UPDATE records SET number = 1 WHERE id = 's:o1'", "s:o1"),
    "lost index": ("DELETE FROM records WHERE id = 's:o1'", "s:o1"),
    "index to nowhere": ("INSERT INTO records VALUES ('s:o9', 1, 99)", "s:o9"),
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


def test_a_session_without_entries_is_empty(path: Path) -> None:
    """A lost journal reads as empty, and the next writer is told that nothing is there."""
    sql(with_one_original(path), "DELETE FROM journal")
    with SQLiteStore(path) as store:
        assert list(store.journal("s")) == []
        assert store.append("s", [], expected=0) == 0


def test_the_marks_of_the_file_are_ours(path: Path) -> None:
    """`file` and other programs can tell it."""
    content = with_one_original(path).read_bytes()
    assert int.from_bytes(content[68:72], "big") == APPLICATION_ID


def test_names_that_sqlite_cannot_take_are_refused_in_our_words(path: Path) -> None:
    """A lone surrogate in a name, an id that a text made up, a path that is none."""
    with SQLiteStore(path) as store:
        with pytest.raises(OriginalMissingError):
            store.fetch(SourceId("s:\ud800"))
        assert store.by_id("\ud800") is None
        with pytest.raises(ColdStoreError, match="a name or number in it is none for SQLite") as refused:
            store.journal("\ud800")
        assert refused.value.__cause__ is None
    for odd in ("a\0b", None):
        with pytest.raises(ColdStoreError):
            SQLiteStore(odd)  # type: ignore[arg-type]
