"""Which calls end in a model: from the calls of a model up, through any number of wrappers.

    def complete(self, messages):                   level 0: the client is called here
        return self.client.chat.completions.create(messages=messages)
    def ask(self, prompt):                          level 1: ends in the call above
        return self.complete([{"role": "user", "content": prompt}])
    def shorten(self, turns):                       level 2
        return self.ask("Condense: " + turns)

Up to the level at which something shows what the model is asked for; whoever calls that function asks nothing
further of the model.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ctxlint.ir import FunctionIR
from ctxlint.ir.ops import ATTR, CALL, CONST, ITEM, OUT
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.clients import Call
from ctxlint.taint.operands import operands

MAX_LEVEL = 14
_MAX_CALLERS = 400


class Climber:
    """Goes from calls of a model to the calls of the functions that make them."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self.program = graph.program
        self.asks: dict[int, int] = {}
        """The functions that end in a model without saying what for, and at which level."""

    def climb(self, calls: list[Call], shows: Callable[[Call, int], bool]) -> None:
        """Ask of every call that ends in a model, level by level, whether something `shows` what it is for."""
        known = set(calls)
        for level in range(MAX_LEVEL + 1):
            above: dict[Call, None] = {}
            for call in calls:
                if shows(call, level):
                    continue
                above.update((caller, None) for caller in self._above(call, level) if self._is_call(caller))
            calls = [call for call in sorted(above) if call not in known]
            known.update(calls)
            if not calls:
                return

    def _above(self, call: Call, level: int) -> tuple[Call, ...]:
        function = call[0]
        if function in self.asks or not self._gives(call):
            return ()
        self.asks[function] = level
        callers = self.graph.askers(function)
        return callers if len(callers) <= _MAX_CALLERS else ()

    def _is_call(self, place: Call) -> bool:
        """Not the read of a property, which gives a client and no answer."""
        return bool(self.program.op(*place)[0] == CALL)

    def _gives(self, call: Call) -> bool:
        """The answer, or something made of it, leaves the function: returned, yielded or kept in an object."""
        function, value = call
        owner = self.program.functions[function]
        if owner.owner < 0 or owner.name == "__init__":
            return False
        if returned(owner.ops, frozenset((*owner.returns, *owner.yields)), value):
            return True
        return changes(owner, self.graph.uses(function), value)


def changes(owner: FunctionIR, readers: Mapping[int, tuple[int, ...]], call: int) -> bool:
    """The call is made for what it does to its arguments, or its result is put in an object."""
    pending = [call, *(value for value, op in enumerate(owner.ops) if op[0] == OUT and op[2] == call)]
    return any(readers.get(value) for value in pending)


def result_name(function: FunctionIR, call: int) -> str:
    """What the result of a call is called, or the one thing that is read from it (`model.invoke(x).content`)."""
    name = function.names.get(call, "")
    for value in range(call + 1, len(function.ops)):
        if name or (function.spans[value] is not None and function.ops[value][0] not in {ATTR, ITEM}):
            break
        op = function.ops[value]
        if op[0] in {ATTR, ITEM} and op[1] == call:
            call, name = value, function.names.get(value, "")
    return name


def returned(ops: tuple[tuple[object, ...], ...], ends: frozenset[int], call: int) -> bool:
    """The result of a call, or something made of it, is returned."""
    pending = list(ends)
    seen: set[int] = set()
    while pending:
        value = pending.pop()
        if value == call:
            return True
        if value not in seen:
            seen.add(value)
            pending.extend(operands(ops[value]))
    return False


def only_constants(owner: FunctionIR, call: int) -> bool:
    """The call is given nothing but constants."""
    op = owner.ops[call]
    values = (*op[4], *(value for _, value in op[5])) if op[0] == CALL else ()
    return all(owner.ops[value][0] == CONST for value in values)
