"""Is a call reached, with what the caller passed? Text that came in with `infer=False` does not get to the model.

    def add(self, text, infer=True):
        if not infer:
            return self.store(text)
        return self.fold(text)          not reached by add(memo, infer=False)

The text carries what its caller passed (`ctxlint.taint.lockers`). What nobody knows is no reason to stop it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxlint.ir.reached import ON
from ctxlint.taint.lockers import GIVEN

if TYPE_CHECKING:
    from ctxlint.ir import Condition
    from ctxlint.taint.facts import Mark
    from ctxlint.taint.program import Program


def is_closed(program: Program, function: int, call: int, mark: Mark) -> bool:
    """What stands next to the text says that the call is not reached with it."""
    asked = program.functions[function].reached.get(call) if mark else None
    if not asked:
        return False
    known = dict(mark)
    return any(
        key in known and not _holds(condition, known[key])
        for condition in asked
        for key in (f"{GIVEN}{function} {condition.key}",)
    )


def _holds(condition: Condition, value: object) -> bool:
    if condition.kind == ON:
        # A constant whose text is not known may be anything.
        return bool(value) == condition.wanted or (isinstance(value, str) and value.startswith("$"))
    return not isinstance(value, str) or value.startswith("$") or (value in condition.values) == condition.wanted
