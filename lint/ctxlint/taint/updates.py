"""What a node, a tool or a hook changes in the state of its graph.

return Command(update={"memo": summary})            kept in state["memo"], read as `request.state["memo"]`
return Response(answer, command=Command(update=...))    the same, inside of something else
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxlint.ir.ops import ANY, CALL, IN_LIST
from ctxlint.taint.facts import Fact
from ctxlint.taint.heap import Cell
from ctxlint.taint.regions import Seed

if TYPE_CHECKING:
    from ctxlint.taint.engine import Engine

_FIELD = "update"


def update_state(engine: Engine, seed: Seed, fact: Fact) -> None:
    """Let derived text in a command be kept under its key of the state."""
    function, path = seed.function, fact.path[1:]
    if fact.path[:1] != (_FIELD,) or not path or path[0] in {IN_LIST, ANY}:
        return
    op = engine.program.op(function, fact.value)
    if op[0] == CALL and engine.graph.name(function, fact.value) in engine.graph.models.flow.state_updates:
        cell = Cell("state", engine.program.module_of[function], path[0])
        engine.keep(seed, fact._replace(path=path[1:]), cell, origin=fact)
