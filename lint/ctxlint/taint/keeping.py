"""Does an object keep what its method is given, or does the method hand it to a place outside of the program?

def add(self, note): self.notes.append(note)               kept: its field is followed like any other
def add(self, note): self.conn.execute(INSERT, note.text)   handed out: nothing of the program holds it now
"""

from __future__ import annotations

import builtins
from enum import Enum

from ctxlint.ir.ops import (
    ANY,
    ATTR,
    BUILD,
    CALL,
    CONST,
    ELEMENT,
    FILTER,
    FORMAT,
    ITEM,
    NAME,
    OUT,
    PARAM,
    SET_ATTR,
    SET_ITEM,
    Op,
)
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.checks import passing
from ctxlint.taint.facts import Fact
from ctxlint.taint.objects import behind, sources

_MAX_DEPTH = 3
_BELOW = frozenset({ATTR, ELEMENT, ITEM, OUT})
_BUILTINS = frozenset(dir(builtins))
_COMPUTES = frozenset(
    [
        "abc",
        "base64",
        "bisect",
        "collections",
        "contextlib",
        "copy",
        "dataclasses",
        "datetime",
        "difflib",
        "enum",
        "fnmatch",
        "functools",
        "hashlib",
        "heapq",
        "html",
        "inspect",
        "itertools",
        "math",
        "mimetypes",
        "operator",
        "random",
        "re",
        "string",
        "textwrap",
        "time",
        "traceback",
        "typing",
        "unicodedata",
        "uuid",
        "warnings",
    ]
)
"""Modules of the standard library whose functions answer and keep nothing."""


class Does(Enum):
    """What a method does with what it is given."""

    KEEPS = "keeps"
    HANDS_OUT = "hands out"
    NEITHER = "neither"


class Keeping:
    """Answers about the methods of a program."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self._known: dict[int, Does] = {}

    def hands_out(self, function: int) -> bool:
        """A method of a linted class does not change its own object, and calls what leads out of the program."""
        owner = self.graph.program.functions[function]
        return owner.class_index >= 0 and not owner.abstract and self._does(function, 0) is Does.HANDS_OUT

    def _does(self, function: int, depth: int) -> Does:
        known = self._known.get(function)
        if known is None:
            self._known[function] = Does.NEITHER
            known = self._known[function] = self._find(function, depth)
        return known

    def _find(self, function: int, depth: int) -> Does:
        flow = self.graph.models.flow
        found = Does.NEITHER
        for call, op in enumerate(self.graph.program.functions[function].ops):
            if op[0] in {SET_ATTR, SET_ITEM} and self._own(function, op[1]) and not self._is_put_back(function, op):
                return Does.KEEPS
            if op[0] != CALL:
                continue
            targets = self.graph.targets(function, call)
            grows = op[3] in flow.appends or op[3] in flow.extends or op[3] in flow.sets
            if grows and op[2] > 1 and not targets and self._own(function, op[2]):
                return Does.KEEPS
            abstract = all(self.graph.program.functions[target.function].abstract for target in targets)
            if abstract and self._outside(function, op):
                found = Does.HANDS_OUT
            for target in targets if depth < _MAX_DEPTH else ():
                inner = self.graph.program.functions[target.function]
                own = inner.class_index >= 0 and target.receiver >= 0 and self._own(function, target.receiver)
                does = self._does(target.function, depth + 1) if own else Does.NEITHER
                if does is Does.KEEPS:
                    return does
                found = does if does is Does.HANDS_OUT else found
        return found

    def _is_put_back(self, function: int, op: Op) -> bool:
        """`self.conn.execute(...)`: the object in the field may have changed, and is the same one."""
        ops = self.graph.program.functions[function].ops
        return op[0] == SET_ATTR and ops[op[3]][0] == OUT and ops[behind(ops, op[3])][:3] == (ATTR, op[1], op[2])

    def _outside(self, function: int, op: Op) -> bool:
        """A call that nobody can look into leads out of the program: no new object, no list or text made here."""
        if op[1] >= 0:
            callee = self.graph.program.op(function, op[1])
            if self._computes(function, op[1]):
                return False
            made = any(ref.kind == "class" for ref in self.graph.values.refs(function, op[1]))
            return not made and not (callee[0] == NAME and (callee[1] in _BUILTINS or callee[1][:1].isupper()))
        if self._computes(function, op[2]):
            return False
        root = self._root(function, op[2])
        if root[:2] == (PARAM, 0) or root[0] not in {PARAM, BUILD, CONST, FORMAT, ELEMENT}:
            return True
        # What a parameter is asked for is its own: `node.get_content()`; `session.add(row)` gives it something.
        return bool(root[0] == PARAM and (op[4] or op[5])) and op[3] not in self.graph.models.flow.keyed

    def _computes(self, function: int, value: int) -> bool:
        """It is of a module that only answers: `uuid.uuid4()`, `datetime.now(UTC).isoformat()`."""
        program = self.graph.program
        for _ in range(_MAX_DEPTH):
            op = program.op(function, value)
            if op[0] not in {ATTR, CALL} or (op[0] == CALL and op[2] < 0):
                break
            value = op[1] if op[0] == ATTR else op[2]
        outside = [str(ref.target) for ref in self.graph.values.refs(function, value) if ref.kind == "external"]
        return any(name.partition(".")[0] in _COMPUTES for name in outside)

    def _root(self, function: int, value: int) -> Op:
        """What a chain of fields, elements and calls begins with."""
        program = self.graph.program
        op = program.op(function, value)
        for _ in range(_MAX_DEPTH * 4):
            inner = (op[2],) if op[0] == CALL else (op[1],) if op[0] in _BELOW else sources(op)
            if not inner or inner[0] < 0:
                break
            op = program.op(function, inner[0])
        return op

    def _own(self, function: int, value: int) -> bool:
        """The value is the method's object or something in it."""
        program = self.graph.program
        for _ in range(_MAX_DEPTH * 4):
            op = program.op(function, value)
            if op[:2] == (PARAM, 0):
                return True
            inner = (op[1],) if op[0] in {ATTR, ITEM, OUT} else sources(op)
            if not inner:
                return False
            value = inner[0]
        return False

    def filters(self, function: int, fact: Fact) -> bool:
        """A function leaves out what bears a mark."""
        return any(
            op[0] == FILTER and passing(self.graph, function, op[2], fact.mark, fact.path or (ANY,)) is None
            for op in self.graph.program.functions[function].ops
        )
