"""The buffer against a plain model, on both stores."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import HealthCheck, settings

from ctxcontracts.coldstore import ColdStore, SQLiteStore
from tests.support.buffer_machine import BufferMachine


class OnDisk(BufferMachine):
    """The same on a file, which a reopening really opens again."""

    def make_store(self) -> ColdStore:
        self.folder = Path(tempfile.mkdtemp())
        return SQLiteStore(self.folder / "store.db")

    def teardown(self) -> None:
        self.store.close()
        shutil.rmtree(self.folder)


# A rule that needs a summary is drawn in vain until there is one: that is no sign of a poor strategy here.
USUAL = [HealthCheck.filter_too_much, HealthCheck.too_slow]

TestInMemory = BufferMachine.TestCase
TestInMemory.settings = settings(max_examples=60, stateful_step_count=25, deadline=None, suppress_health_check=USUAL)

TestOnDisk = OnDisk.TestCase
TestOnDisk.settings = settings(max_examples=8, stateful_step_count=15, deadline=None, suppress_health_check=USUAL)
