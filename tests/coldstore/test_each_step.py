"""P4 with a fault at each step of a rewrite: before the originals and the summary are durable, nothing is visible."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.coldstore import SQLiteStore
from ctxcontracts.errors import ColdStoreError
from ctxcontracts.spans import user_text
from tests.support.buffers import WORDS, filled, shrink, state


class Failing:
    """A connection whose n-th statement fails, before it is carried out."""

    def __init__(self, connection: sqlite3.Connection, step: int) -> None:
        self._connection = connection
        self._step = step

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    def _count(self) -> None:
        self._step -= 1
        if self._step == 0:
            raise sqlite3.OperationalError("disk I/O error")

    def execute(self, sql: str, *parameters: Any) -> sqlite3.Cursor:
        if not sql.startswith("ROLLBACK"):
            self._count()
        return self._connection.execute(sql, *parameters)

    def executemany(self, sql: str, rows: Any) -> sqlite3.Cursor:
        self._count()
        return self._connection.executemany(sql, rows)


USES: dict[str, Callable[[ContextBuffer], object]] = {
    "observe": lambda buffer: buffer.observe(user_text(f"more {WORDS}")),
    "rewrite": lambda buffer: buffer.rewrite(buffer.spans[2:4], shrink),  # type: ignore[arg-type]
    "rederive": lambda buffer: buffer.rederive(buffer.spans[0], shrink, 2),  # type: ignore[arg-type]
    "prune": lambda buffer: buffer.prune(buffer.spans[0]),
}


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_fault_at_any_step_changes_nothing(tmp_path: Path, use: Callable[[ContextBuffer], object]) -> None:
    """The window and the store stay as they were, and the same call succeeds afterwards."""
    path = tmp_path / "store.db"
    with ContextBuffer.open(path, "s") as buffer:
        _, spans = filled(6, buffer)
        buffer.rewrite(spans[:2], shrink)
        store = buffer.store
        assert isinstance(store, SQLiteStore)
        usual, before, step = store._writer.connection, state(buffer), 0
        journal = list(store.journal("s"))
        while True:
            step += 1
            store._writer.connection = Failing(usual, step)  # type: ignore[assignment]
            try:
                use(buffer)
            except ColdStoreError:
                assert state(buffer) == before
                assert list(store.journal("s")) == journal
                assert store.verify() == ()
                assert not buffer._session._window.claims
            else:
                break
            finally:
                store._writer.connection = usual
        assert step > 5
        assert buffer.verify().ok
        after = state(buffer)
    with ContextBuffer.open(path, "s") as buffer:
        assert state(buffer) == after
