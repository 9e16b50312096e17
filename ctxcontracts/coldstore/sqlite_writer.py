"""The writer of a process: threads that wait for the disk at the same time share one transaction and one sync.

    thread A   BEGIN  a  COMMIT ........ | done
    thread B           waits ........... | BEGIN  b, c, d  COMMIT | done
    thread C             waits ......... |                        | done
    thread D               waits ....... |                        | done

Whoever gets the turn commits for all that wait, each job in a savepoint of its own: a refused job costs the others
nothing. There is no thread of the store's own, so nothing has to be started, stopped or drained.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from typing import Any, NamedTuple, TypeVar, cast, final

T = TypeVar("T")
Job = Callable[[sqlite3.Connection], Any]


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
        with self._queue:
            batch = [ticket for ticket in self._waiting if not ticket.withdrawn]
        try:
            self._commit(batch)
        finally:
            with self._queue:
                self._waiting = [one for one in self._waiting if one.outcome is None and not one.withdrawn]

    def _commit(self, batch: list[_Ticket]) -> None:
        connection = self.connection
        if connection.in_transaction:
            connection.execute("ROLLBACK")  # an interrupt got past the end of a transaction
        outcomes: list[_Outcome] = []
        try:
            connection.execute("BEGIN IMMEDIATE")
            # One by one, not `extend`: an interrupt has to find how far it came.
            for ticket in batch:
                outcomes.append(_attempt(connection, ticket.job))  # noqa: PERF401
            connection.execute("COMMIT")
        except sqlite3.Error as error:
            _roll_back(connection)
            if len(batch) > 1:  # one of them may be too large for the disk, and the others not
                for ticket in batch:
                    self._commit([ticket])
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
