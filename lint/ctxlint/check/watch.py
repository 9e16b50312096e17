"""The time of a run."""

from __future__ import annotations

import time
from collections.abc import Generator
from contextlib import contextmanager


class Watch:
    """Seconds by stage, and how many files came from the cache."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}
        self.cached = 0

    @contextmanager
    def stage(self, name: str) -> Generator[None]:
        """Add the time inside to a stage."""
        start = time.perf_counter()
        try:
            yield
        finally:
            self.seconds[name] = time.perf_counter() - start
