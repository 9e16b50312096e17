"""The version of ctxlint, alone, so that every layer may import it, and whether its hot part is compiled."""

from __future__ import annotations

import _imp
import os

__version__ = "0.1.0"


def compiled() -> bool:
    """Whether the import system finds the engine compiled: it prefers a shared object to the source beside it."""
    engine = os.path.join(os.path.dirname(__file__), "taint", "engine")  # noqa: PTH118, PTH120 - no pathlib at start-up
    return any(os.path.exists(engine + suffix) for suffix in _imp.extension_suffixes())  # noqa: PTH110 - the same
