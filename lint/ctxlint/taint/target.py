"""What a call may run."""

from __future__ import annotations

from typing import NamedTuple

from ctxlint.models import HigherOrder


class Target(NamedTuple):
    """A function that a call may run. `receiver` is the value that becomes its first parameter, -1 for none.

    `made` is the class that the call constructs, -1 for none. `elements` when it runs once for each element of its
    arguments; `skip` arguments stand before those that it gets, and a partial has `given` it some already.
    `packed` is the collection that holds its arguments, -1 for none.
    """

    function: int
    receiver: int = -1
    made: int = -1
    bound: bool = False
    elements: bool = False
    skip: int = 0
    packed: int = -1
    given: int = 0
    higher: HigherOrder | None = None
