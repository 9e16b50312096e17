"""Tasks as keys: `pending = {pool.submit(fold, page): page for page in pages}` holds what will have a result.

    for done in as_completed(pending):      an element is a key
        notes.append(done.result())

What else is a key only says which value is meant, and is left out.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from ctxlint.ir.ops import CALL, Op

_STARTS: Final = frozenset({"submit", "create_task", "ensure_future", "run_in_executor", "apply_async", "start_soon"})


def is_task(ops: Sequence[Op], value: int | None) -> bool:
    """The value is a task that was started by one of the calls of the standard library."""
    if not value:
        return False
    return ops[value][0] == CALL and ops[value][3] in _STARTS
