"""The writer of a process: many threads, one transaction, and each gets its own answer."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from ctxcontracts.coldstore import sqlite_writer
from ctxcontracts.coldstore.sqlite_writer import Writer
from ctxcontracts.errors import ColdStoreError


class Counting(sqlite3.Connection):
    """Counts transactions, and fails or is interrupted where a test wants it."""

    commits = 0
    trouble: Callable[[str], None] = staticmethod(lambda _: None)

    def execute(self, sql: str, *parameters: object) -> sqlite3.Cursor:  # type: ignore[override]
        self.trouble(sql)
        done = super().execute(sql, *parameters)  # type: ignore[arg-type]
        self.commits += sql == "COMMIT"
        self.trouble(f"after {sql}")
        return done


@pytest.fixture
def connection(tmp_path: Path) -> Iterator[Counting]:
    made = sqlite3.connect(
        tmp_path / "x.db", factory=Counting, isolation_level=None, check_same_thread=False, timeout=0.1
    )
    made.execute("CREATE TABLE t (x UNIQUE)")
    yield made
    made.close()


def rows(connection: sqlite3.Connection) -> list[int]:
    return [x for (x,) in connection.execute("SELECT x FROM t ORDER BY x")]


def together(writer: Writer, jobs: list[Callable[[sqlite3.Connection], object]]) -> list[object]:
    """What came of jobs that all waited for the same turn."""
    outcomes: list[object] = [None] * len(jobs)

    def run(index: int) -> None:
        try:
            outcomes[index] = writer.run(jobs[index])
        except Exception as error:
            outcomes[index] = error

    threads = [threading.Thread(target=run, args=(index,)) for index in range(len(jobs))]
    with writer._turn:
        for thread in threads:
            thread.start()
        while len(writer._waiting) < len(jobs):
            pass
    for thread in threads:
        thread.join()
    return outcomes


def putting(x: int) -> Callable[[sqlite3.Connection], object]:
    return lambda connection: connection.execute("INSERT INTO t VALUES (?)", (x,)) and x


def refused(connection: sqlite3.Connection) -> object:
    connection.execute("INSERT INTO t VALUES (99)")
    raise ColdStoreError("refused")


def test_those_that_wait_share_a_transaction(connection: Counting) -> None:
    """One sync for all."""
    assert sorted(together(Writer(connection), [putting(n) for n in range(8)])) == list(range(8))  # type: ignore[type-var]
    assert connection.commits == 1
    assert rows(connection) == list(range(8))


def test_a_refused_job_costs_the_others_nothing(connection: Counting) -> None:
    """It alone is undone, and its error is its own."""
    outcomes = together(Writer(connection), [putting(1), refused, putting(2)])
    assert isinstance(outcomes[1], ColdStoreError)
    assert (outcomes[0], outcomes[2]) == (1, 2)
    assert rows(connection) == [1, 2]


def test_a_transaction_that_fails_is_tried_job_by_job(connection: Counting) -> None:
    """One that does not fit on the disk keeps no other out."""
    outcomes = together(Writer(connection), [putting(1), putting(1), putting(2)])
    assert sorted(map(str, outcomes)) == ["1", "2", "UNIQUE constraint failed: t.x"]
    assert rows(connection) == [1, 2]


def test_a_file_that_stays_locked_is_an_error_for_each(
    connection: Counting, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nobody is told that it is done."""
    monkeypatch.setattr(sqlite_writer, "BUSY_SECONDS", 0.05)
    other = sqlite3.connect(tmp_path / "x.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    outcomes = together(Writer(connection), [putting(1), putting(2)])
    assert [str(outcome) for outcome in outcomes] == ["database is locked"] * 2
    other.execute("ROLLBACK")
    other.close()
    assert rows(connection) == []


@pytest.mark.parametrize("when", ["BEGIN IMMEDIATE", "SAVEPOINT job", "RELEASE job", "COMMIT", "after COMMIT"])
def test_an_interrupt_of_one_loses_no_job_of_another(connection: Counting, when: str) -> None:
    """Whoever comes next finds what is left; what was committed is not done twice."""
    writer = Writer(connection)
    times: list[str] = []

    def interrupt(sql: str) -> None:
        if sql == when and not times:
            times.append(sql)
            raise KeyboardInterrupt

    outcomes: list[object] = []

    def wait(x: int) -> None:
        outcomes.append(writer.run(putting(x)))

    thread = threading.Thread(target=wait, args=(2,))
    connection.trouble = lambda sql: None if threading.current_thread() is thread else interrupt(sql)
    with writer._turn:
        thread.start()
        while not writer._waiting:
            pass
        with writer._queue:
            pass
        # This thread queues up too, and takes the turn that it holds: it commits for both.
        writer._waiting.append(mine := type(writer._waiting[0])(putting(1)))
        with pytest.raises(KeyboardInterrupt):
            writer._commit_waiting()
        mine.withdrawn = mine.outcome is None
    thread.join()
    assert outcomes == [2]
    assert rows(connection) == ([1, 2] if when == "after COMMIT" else [2])


def test_those_that_come_while_another_process_writes_are_in_time(connection: Counting, tmp_path: Path) -> None:
    """The wait for the file is shared too."""
    other = sqlite3.connect(tmp_path / "x.db", isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    writer = Writer(connection)
    threads = [threading.Thread(target=writer.run, args=(putting(n),)) for n in range(5)]
    for thread in threads:
        thread.start()
    while len(writer._waiting) < 5:
        pass
    other.execute("ROLLBACK")
    other.close()
    for thread in threads:
        thread.join()
    assert rows(connection) == list(range(5))
    assert connection.commits == 1


def test_a_file_that_is_locked_again_fails_job_by_job(connection: Counting, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a transaction that failed, another process may be faster."""
    begin, times = sqlite_writer._begin, iter([False, True, False])

    def locked(given: sqlite3.Connection) -> None:
        if next(times):
            raise sqlite3.OperationalError("database is locked")
        begin(given)

    monkeypatch.setattr(sqlite_writer, "_begin", locked)
    outcomes = together(Writer(connection), [putting(1), putting(1)])
    assert sorted(map(str, outcomes)) == ["1", "database is locked"]


def test_an_interrupted_caller_withdraws_its_job(connection: Counting) -> None:
    """Nobody waits for it, so it is not done behind the back of its caller."""
    writer = Writer(connection)

    def interrupted(sql: str) -> None:
        if sql == "BEGIN IMMEDIATE":
            raise KeyboardInterrupt

    connection.trouble = interrupted
    with pytest.raises(KeyboardInterrupt):
        writer.run(putting(1))
    connection.trouble = lambda _: None
    assert writer.run(putting(2)) == 2
    assert rows(connection) == [2]


def test_an_open_transaction_is_ended_first(connection: Counting) -> None:
    """An interrupt got past its end."""
    connection.execute("BEGIN")
    connection.execute("INSERT INTO t VALUES (7)")
    assert Writer(connection).run(putting(1)) == 1
    assert rows(connection) == [1]
