"""Switches: text that only comes through for callers that set a parameter.

    def collect(self, include_summaries=False):
        return [m for m in self.messages if include_summaries or not m.derived]
    self.collect()                            nothing: its default leaves them out
    self.collect(include_summaries=True)      the summary

Inside the function the text waits for its caller: its mark holds what the switch has to be. Where the text leaves
through a call, what that call passes decides; where it leaves by another way, any caller that fits lets it through.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxlint.ir.ops import CALL, CONST
from ctxlint.taint import errands, lockers
from ctxlint.taint.facts import Mark

if TYPE_CHECKING:
    from ctxlint.taint.callgraph import CallGraph
    from ctxlint.taint.target import Target

_WAITS = "$if "
_OPEN = (_WAITS, lockers.GIVEN, lockers.ASKED, errands.RUN)


def wait(mark: Mark, function: int, name: str, truth: bool) -> Mark | None:  # noqa: FBT001 - what the switch has to be
    """The mark of a text that passes only when a switch is `truth`; None when it already waits for the opposite."""
    key = f"{_WAITS}{function} {name}"
    known = dict(mark)
    if key in known:
        return mark if known[key] is truth else None
    return tuple(sorted((*mark, (key, truth)), key=lambda pair: pair[0]))


def waiting(mark: Mark) -> Mark:
    """What a text waits for, whatever else stands next to it."""
    return tuple(pair for pair in mark if pair[0].startswith(_OPEN)) if mark else mark


def told_apart(mark: Mark) -> Mark:
    """What makes a text another one than those that came the same way: its key, or the function that gave it."""
    return tuple(pair for pair in mark if pair[0].startswith(_OPEN[1:])) if mark else mark


def settle(graph: CallGraph, mark: Mark, caller: tuple[int, int], target: Target) -> Mark | None:
    """The mark behind a call: None when what the call passes keeps the text in."""
    more: Mark = ()
    for key, truth in waiting(mark):
        kind, function, name = key.split(" ", 2)
        if int(function) != target.function:
            continue
        if kind == _WAITS.strip() and passed(graph, caller, target, name) is (not truth):
            return None
        remains: Mark | None = ()
        if kind == lockers.ASKED.strip():
            remains = lockers.asked(graph, name, str(truth), (caller, target))
        elif kind == errands.RUN.strip():
            remains = errands.back(graph, name, truth, (caller, target))
        if remains is None:
            return None
        more = (*more, *remains)
        mark = tuple(pair for pair in mark if pair[0] != key)
    return tuple(sorted((*mark, *more), key=lambda pair: pair[0])) if more else mark


def anywhere(graph: CallGraph, mark: Mark) -> Mark | None:
    """The mark of a text that leaves by no call: None when no caller lets it through."""
    for key, truth in waiting(mark):
        kind, function, name = key.split(" ", 2)
        if kind == _WAITS.strip() and not _some_caller(graph, int(function), name, truth=bool(truth)):
            return None
        mark = tuple(pair for pair in mark if pair[0] != key)
    return mark


def _some_caller(graph: CallGraph, function: int, name: str, *, truth: bool) -> bool:
    answers = [
        passed(graph, (caller, call), target, name)
        for caller, call in graph.callers(function)
        for target in graph.targets(caller, call)
        if target.function == function
    ]
    # Who is never called here is called by others, the way it is meant to be.
    answers = answers or [_default(graph, function, name)]
    return any(answer is not (not truth) for answer in answers)


def passed(graph: CallGraph, caller: tuple[int, int], target: Target, name: str) -> bool | None:
    """What a call passes for a parameter, as far as it is a constant or left at its default."""
    function, call = caller
    op = graph.program.op(function, call)
    names = [parameter.name for parameter in graph.program.functions[target.function].parameters]
    for value, position in graph.passes(function, call, target):
        if names[position] == name:
            return _truth(graph, function, value)
    if op[0] != CALL or any(keyword in {"*", "**"} for keyword, _ in op[5]):
        return None
    return _default(graph, target.function, name)


def _default(graph: CallGraph, function: int, name: str) -> bool | None:
    owner = graph.program.functions[function]
    parameter = next((known for known in owner.parameters if known.name == name), None)
    if parameter is None or not parameter.default or owner.owner < 0:
        return None
    return _truth(graph, graph.program.function_id(function, owner.owner), parameter.default)


def _truth(graph: CallGraph, function: int, value: int) -> bool | None:
    op = graph.program.op(function, value)
    return bool(op[1]) if op[0] == CONST else None
