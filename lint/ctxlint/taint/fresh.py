"""Helper objects without a past: what their methods read is not from an earlier round.

self.summarizer.reset()                    assigns history anew ...
self.summarizer.summarize(lines)           ... so that this call reads none of its earlier answers
Summarizer(llm).summarize(lines)           a new object has no earlier answers either
"""

from __future__ import annotations

from ctxlint.ir import FunctionIR
from ctxlint.ir.ops import ATTR, CALL, OUT, SET_ATTR
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.facts import loop_of
from ctxlint.taint.operands import operands
from ctxlint.taint.selves import is_own
from ctxlint.taint.spelling import spelled

_MAX_DEPTH = 3
_MAX_CALLERS = 6
_MAX_VALUES = 60


class Fresh:
    """Answers about the functions of a program."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self._known: dict[tuple[int, str], bool] = {}

    def is_apart(self, writer: int, reader: tuple[int, int], name: str) -> bool:
        """What the writer keeps in its object is kept there after the reader has read, and for nobody."""
        function, value = reader
        program = self.graph.program
        kind = program.class_of(function)
        return (
            kind >= 0
            and program.class_of(writer) == kind
            and not loop_of(program.functions[function], value)
            and self.starts_empty(function, name)
            and self.starts_empty(writer, name)
        )

    def starts_empty(self, function: int, name: str, depth: int = 0) -> bool:
        """Whoever calls the method has just made its object, or has just let it assign the field anew."""
        known = self._known.get((function, name))
        if known is None:
            self._known[function, name] = False
            known = self._known[function, name] = self._find(function, name, depth)
        return known

    def _find(self, function: int, name: str, depth: int) -> bool:
        if self.graph.program.functions[function].class_index < 0 or depth > _MAX_DEPTH:
            return False
        callers = self.graph.callers(function)
        return 0 < len(callers) <= _MAX_CALLERS and all(
            self._fits(caller, call, name, depth) for caller, call in callers
        )

    def _fits(self, caller: int, call: int, name: str, depth: int) -> bool:
        owner = self.graph.program.functions[caller]
        op = owner.ops[call]
        if op[0] != CALL or op[2] <= 0:
            return False
        if self._is_made(caller, op[2], call) or self._is_reset(caller, call, name):
            return True
        if not is_own(owner, op[2]) or loop_of(owner, call):
            return False
        return self.starts_empty(caller, name, depth + 1)

    def _is_made(self, caller: int, receiver: int, call: int) -> bool:
        """The receiver is an object that was made for this call alone."""
        owner = self.graph.program.functions[caller]
        while owner.ops[receiver][0] == OUT:
            receiver = owner.ops[receiver][1]
        op = owner.ops[receiver]
        if op[0] != CALL or loop_of(owner, receiver) != loop_of(owner, call):
            return False
        if not any(target.made >= 0 for target in self.graph.targets(caller, receiver)):
            return False
        return sum(1 for other in owner.ops if other[0] == CALL and other[2] == receiver) == 1

    def _is_reset(self, caller: int, call: int, name: str) -> bool:
        """The same function has called a method on the same object that assigns the field anew."""
        owner = self.graph.program.functions[caller]
        held = spelled(self.graph, caller, owner.ops[call][2])
        for earlier in range(call - 1, 0, -1):
            op = owner.ops[earlier]
            if not held or op[0] != CALL or op[2] <= 0 or spelled(self.graph, caller, op[2]) != held:
                continue
            # Any other call on the object may have given it something to read.
            targets = [target.function for target in self.graph.targets(caller, earlier)]
            anew = bool(targets) and all(self._assigns_anew(target, name) for target in targets)
            return anew and loop_of(owner, earlier) == loop_of(owner, call)
        return False

    def _assigns_anew(self, function: int, name: str) -> bool:
        owner = self.graph.program.functions[function]
        for op in owner.ops:
            if op[0] == SET_ATTR and op[2] == name and is_own(owner, op[1]):
                return _is_other(owner, op[3], name)
            if op[0] == CALL and op[3] in self.graph.models.flow.clears and op[2] > 0:
                read = owner.ops[op[2]]
                if read[0] == ATTR and read[2] == name and is_own(owner, read[1]):
                    return True
        return False


def _is_other(owner: FunctionIR, value: int, name: str) -> bool:
    """What is assigned is not made of what the field held."""
    pending, seen = [value], set[int]()
    while pending and len(seen) < _MAX_VALUES:
        current = pending.pop()
        if current in seen:
            continue
        seen.add(current)
        op = owner.ops[current]
        if op[0] == ATTR and op[2] == name:
            return False
        pending.extend(operands(op))
    return not pending
