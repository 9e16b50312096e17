"""The writer of a process: threads that wait for the disk at the same time share one transaction and one sync.

    thread A   BEGIN  a  COMMIT ........ | done
    thread B           waits ........... | BEGIN  b, c, d  COMMIT | done
    thread C             waits ......... |                        | done
    thread D               waits ....... |                        | done

Whoever gets the turn commits for all that wait, each job in a savepoint of its own: a refused job costs the others
nothing. There is no thread of the store's own, so nothing has to be started, stopped or drained.
"""

from __future__ import annotations

import random
import sqlite3
import threading
import time
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast, final

from ctxcontracts.coldstore.sqlite_fault import BUSY_SECONDS

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], Any]

_CHANCE = random.SystemRandom()
_BETWEEN_LOOKS = (0.0003, 0.0015)
"""Seconds, drawn by chance, so that no process is always the one that looks first."""


class _Outcome(NamedTuple):
    value: object
    error: Exception | None


class _Ticket:
    """One job on its way to the disk.

    Attributes:
        job: what is to be written.
        outcome: what came of it, once that is durable or refused.
        withdrawn: whether the caller was interrupted, and nobody waits for it any more.
    """

    __slots__ = ("job", "outcome", "withdrawn")

    def __init__(self, job: Job) -> None:
        self.job = job
        self.outcome: _Outcome | None = None
        self.withdrawn = False


@final
class Writer:
    """Runs jobs on a connection, each as a whole or not at all, and durable when `run` returns.

    Args:
        connection: a connection that nobody else uses.
    """

    def __init__(self, connection: sqlite3.Connection) -> None:
        self.connection = connection
        connection.execute("PRAGMA busy_timeout = 0")  # `_begin` waits
        self._turn = threading.Lock()
        self._queue = threading.Lock()
        self._waiting: list[_Ticket] = []

    def run(self, job: Callable[[sqlite3.Connection], T]) -> T:
        """What a job gives, once its transaction is on the disk.

        Raises:
            sqlite3.Error: when the transaction failed; also whatever the job raises. Nothing of it is kept then.
        """
        ticket = _Ticket(job)
        try:
            with self._queue:
                self._waiting.append(ticket)
            with self._turn:
                if ticket.outcome is None:
                    self._commit_waiting()
        except BaseException:
            # An interrupt. Whoever has the turn may be writing it: once the turn is free that is decided.
            with self._turn:
                ticket.withdrawn = True
            raise
        value, error = cast("_Outcome", ticket.outcome)
        if error is not None:
            raise error
        return cast("T", value)

    def alone(self, use: Callable[[sqlite3.Connection], T]) -> T:
        """What a function gives that needs the connection outside of a transaction, while no job runs."""
        with self._turn:
            return use(self.connection)

    def _commit_waiting(self) -> None:
        """Commits for all that wait. A ticket leaves the queue when it is done, so an interrupt loses none."""
        early = self._queued()
        try:
            try:
                _begin(self.connection)
            except sqlite3.Error as error:
                _deliver(early, [_Outcome(None, error)] * len(early))
                return
            # Those that came while another process wrote are in time.
            self._commit(self._queued())
        finally:
            with self._queue:
                self._waiting = [one for one in self._waiting if one.outcome is None and not one.withdrawn]

    def _queued(self) -> list[_Ticket]:
        with self._queue:
            return [ticket for ticket in self._waiting if not ticket.withdrawn]

    def _commit(self, batch: list[_Ticket]) -> None:
        """Carries out jobs in the transaction that has begun, and ends it."""
        connection = self.connection
        outcomes: list[_Outcome] = []
        try:
            # One by one, not `extend`: an interrupt has to find how far it came.
            for ticket in batch:
                outcomes.append(_attempt(connection, ticket.job))  # noqa: PERF401
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            _roll_back(connection)
            if len(batch) > 1:  # one of them may be too large for the disk, and the others not
                self._commit_singly(batch)
                return
            outcomes = [_Outcome(None, error)]
        except BaseException:
            # An interrupt: the end of the transaction tells whether it came before the commit or after.
            if not connection.in_transaction and len(outcomes) == len(batch):
                _deliver(batch, outcomes)
            else:
                _roll_back(connection)
            raise
        _deliver(batch, outcomes)

    def _commit_singly(self, batch: list[_Ticket]) -> None:
        for ticket in batch:
            try:
                _begin(self.connection)
            except sqlite3.Error as error:
                ticket.outcome = _Outcome(None, error)
            else:
                self._commit([ticket])


def _begin(connection: sqlite3.Connection) -> None:
    """Takes the write lock, waiting for other processes.

    SQLite itself sleeps for up to 0.1 s between two looks, so that whoever has just written comes first again and
    again, and the others wait for seconds.
    """
    if connection.in_transaction:
        connection.execute("ROLLBACK")  # an interrupt got past the end of a transaction
    until = time.monotonic() + BUSY_SECONDS
    while True:
        try:
            connection.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
        else:
            return
        time.sleep(_CHANCE.uniform(*_BETWEEN_LOOKS))


def _deliver(batch: list[_Ticket], outcomes: list[_Outcome]) -> None:
    for ticket, outcome in zip(batch, outcomes, strict=True):
        ticket.outcome = outcome


def _attempt(connection: sqlite3.Connection, job: Job) -> _Outcome:
    """What came of a job; a refused one leaves nothing in the transaction."""
    connection.execute("SAVEPOINT job")
    try:
        value = job(connection)
    except sqlite3.Error:
        raise
    except Exception as error:  # noqa: BLE001 - raised where the job came from
        connection.execute("ROLLBACK TO job")
        connection.execute("RELEASE job")
        return _Outcome(None, error)
    connection.execute("RELEASE job")
    return _Outcome(value, None)


def _roll_back(connection: sqlite3.Connection) -> None:
    # A failed COMMIT may have ended the transaction already.
    if connection.in_transaction:
        connection.execute("ROLLBACK")
