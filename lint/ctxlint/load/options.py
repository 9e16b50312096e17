"""How a run works, as apart from what it looks for: none of this changes a finding."""

from __future__ import annotations

import os
from dataclasses import dataclass, field


def available_cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else (os.cpu_count() or 1)


@dataclass(frozen=True, slots=True)
class Options:
    """The limits and means of a run.

    `jobs` processes parse and lower at once, where there are `parallel_from` bytes to parse or more. A file may have
    up to `file_bytes` bytes and take up to `file_seconds` seconds, else it is a CTX901.
    """

    jobs: int = field(default_factory=available_cores)
    cache: bool = True
    file_bytes: int = 5_000_000
    file_seconds: float = 20.0
    parallel_from: int = 2_000_000
