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
from ctxcontracts.contracts.registry import DerivedCall
from ctxcontracts.errors import ColdStoreError, OriginalMissingError, StoreVersionError
from ctxcontracts.spans.provenance import SourceId
from ctxcontracts.testing.durable_stores import DurableStoreSuite
from ctxcontracts.testing.stores import O1, O2, MakeStore, original
from tests.support.small_store import sql, with_one_original
from tests.support.unprivileged import open_folder, output_unprivileged


class TestSQLiteStore(DurableStoreSuite):
    """The suite on a file."""

    kills = 100

    @pytest.fixture
    def make_store(self, tmp_path: Path) -> MakeStore:
        return lambda: SQLiteStore(tmp_path / "store.db")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "store.db"


def test_writes_are_synced_to_the_disk(path: Path) -> None:
    """The settings that a power loss asks for."""
    with SQLiteStore(path) as store:
        asked = ("synchronous", "journal_mode", "secure_delete")
        answers = [store._writer.connection.execute(f"PRAGMA {name}").fetchone() for name in asked]
        assert answers == [(2,), ("wal",), (1,)]
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


def test_a_file_of_one_byte_is_refused(path: Path) -> None:
    """SQLite takes it for an empty one."""
    path.write_text("x")
    with pytest.raises(StoreVersionError, match="one byte"):
        SQLiteStore(path)
    assert path.read_text() == "x"


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
    monkeypatch.setattr("ctxcontracts.coldstore.sqlite_writer.BUSY_SECONDS", 0.05)
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


@pytest.mark.parametrize("statement", ["CREATE NONSENSE", "ROLLBACK"])
def test_tables_that_cannot_be_made_leave_nothing(
    path: Path, monkeypatch: pytest.MonkeyPatch, statement: str
) -> None:
    """A half-made store would look like somebody else's file."""
    monkeypatch.setattr(sqlite_schema, "TABLES", (*sqlite_schema.TABLES, statement))
    with pytest.raises(ColdStoreError, match="SQLite says"):
        SQLiteStore(path)
    monkeypatch.undo()
    SQLiteStore(path).close()


def test_a_full_disk_changes_nothing(path: Path) -> None:
    """The append is refused as a whole, and works once there is space."""
    with SQLiteStore(path) as store:
        store.append("s", [original(O1)], expected=0)
        connection = store._writer.connection
        (pages,) = connection.execute("PRAGMA page_count").fetchone()
        connection.execute(f"PRAGMA max_page_count = {pages}")
        with pytest.raises(ColdStoreError, match="free some space"):
            store.append("s", [original(O2, "x" * 100_000)], expected=1)
        connection.execute("PRAGMA max_page_count = 100000")
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

        monkeypatch.setattr("ctxcontracts.coldstore.sqlite_rows._put_text", put_and_end)
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


# --- arguments, namespaces -----------------------------------------------------------------------------------------


def test_namespaces_share_nothing(path: Path) -> None:
    """Two tenants may use the same names, ids and texts, and neither learns of the other."""
    for namespace in ("one", "two"):
        with SQLiteStore(path, namespace=namespace) as store:
            assert store.sessions() == ()
            store.append("s", [original(O1, "same"), original(O2, f"of {namespace}")], expected=0)
            store.register(DerivedCall("id", "digest", 1, namespace, "now"))
    for namespace in ("one", "two"):
        with SQLiteStore(path, namespace=namespace) as store:
            assert store.fetch(O2).text == f"of {namespace}"
            call = store.by_id("id")
            assert call is not None
            assert call.function == namespace
            assert store.verify() == ()
    rows = sqlite3.connect(path)
    assert rows.execute("SELECT count(*) FROM blobs").fetchone() == (4,)
    rows.close()
    with SQLiteStore(path) as store:
        assert store.sessions() == ()


@pytest.mark.parametrize("namespace", [None, 3, "a\nb"])
def test_a_namespace_is_a_printable_name(path: Path, namespace: object) -> None:
    """It stands in no message and no path, but people read it."""
    with pytest.raises(ColdStoreError, match="namespace"):
        SQLiteStore(path, namespace=namespace)  # type: ignore[arg-type]


def test_a_store_whose_second_connection_fails_is_closed_again(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing stays open that nobody can close."""

    def failing(*_: object) -> sqlite3.Connection:
        raise sqlite3.OperationalError("no more files")

    monkeypatch.setattr("ctxcontracts.coldstore.sqlite.reading", failing)
    with pytest.raises(ColdStoreError, match="no more files"):
        SQLiteStore(path)
