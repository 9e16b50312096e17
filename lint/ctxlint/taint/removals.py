"""Where a function takes something out of a collection of its object, and what else its calls put in.

self.turns = self.turns[-4:]       an assignment of a part
del self.turns[:8]                 a deletion
self.turns.clear()                 a call; so is pop()
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.ir import FunctionIR
from ctxlint.ir.ops import ATTR, BUILD, CALL, DELETE, FILTER, OUT, SET_ATTR, SET_ITEM, SLICE, WHOLE
from ctxlint.taint.engine import Engine
from ctxlint.taint.selves import is_own, origin

_TAKING = frozenset({"clear", "pop", "popleft"})
_PARTS = frozenset({SLICE, FILTER, BUILD})


def removals(owner: FunctionIR, name: str) -> Iterator[int]:
    """The operations that take something out of `self.NAME`, or that put a part of it in its place."""
    for value, op in enumerate(owner.ops):
        if op[0] == SET_ATTR and op[2] == name and owner.ops[op[3]][0] in _PARTS and is_own(owner, op[1]):
            yield value
        base = op[2] if op[0] == CALL and op[3] in _TAKING else None
        base = op[1] if op[0] == DELETE or (op[0] == SET_ITEM and op[2] == WHOLE) else base
        if isinstance(base, int) and base >= 0 and _is_read_of(owner, base, name):
            yield value


def _is_read_of(owner: FunctionIR, value: int, name: str) -> bool:
    op = owner.ops[value]
    while op[0] in {OUT, DELETE}:
        op = owner.ops[op[1]]
    return bool(op[0] == ATTR and op[2] == name and is_own(owner, op[1]))


def kept_elsewhere(engine: Engine, function: int, name: str) -> bool:
    """What some method puts into `self.NAME` is put away by another call beside that one, too."""
    program, models = engine.program, engine.graph.models
    module = program.module_of[function]
    first = program.first_function[module]
    for local, value in program.modules[module].attributes.get(name, ()):
        owner = program.functions[first + local]
        for user in engine.uses(first + local).get(value, ()):
            op = owner.ops[user]
            if op[0] != CALL or op[2] != value or op[3] not in models.flow.appends | models.flow.extends:
                continue
            same = {origin(owner.ops, given) for given in op[4]}
            others = (beside for other, beside in enumerate(owner.ops) if beside[0] == CALL and other != user)
            for beside in others:
                handed = {origin(owner.ops, given) for given in beside[4]}
                if _puts_away(engine, str(beside[3])) and not same.isdisjoint(handed):
                    return True
    return False


def _puts_away(engine: Engine, method: str) -> bool:
    """A method that is named for writing, or a function that nobody can look into."""
    return not method or method.lstrip("_").split("_")[0] in engine.graph.models.stores.writes
