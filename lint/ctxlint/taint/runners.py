"""Statements that are run through functions of the program itself.

def run(self, statement, values=()):                          runs what it is given ...
    return self.connect().execute(statement, values)
self.run("INSERT INTO notes (body) VALUES (?)", (text,))      ... so that this writes notes
"""

from __future__ import annotations

import re
from functools import cached_property

from ctxlint.ir.ops import CALL, PARAM
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.names import split
from ctxlint.taint.objects import sources
from ctxlint.taint.statements import Statement, statement

_RUNS = frozenset({"exec", "execute", "executemany", "fetch", "fetchall", "fetchone", "fetchrow", "fetchval"})
"""First words of methods of connections, sessions and cursors that get a statement first."""
_ASKS = frozenset({"query", "run", "select"})
"""The same, which also ask models and agents: what they get must look like SQL."""
_SQL = re.compile(r"\s*(?:INSERT|MERGE|REPLACE|SELECT|UPDATE|WITH)\b")
_KEYWORDS = frozenset({"query", "sql", "statement", "stmt"})
_ROUNDS = 3
_MAX_WALK = 30


class Runners:
    """Answers about the calls that run statements."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self.program = graph.program

    def statement(self, function: int, call: int) -> Statement | None:
        """The statement that a call runs, None when it runs none."""
        if self.program.op(function, call)[0] != CALL:
            return None
        given = self._given(function, call) if self.graph.name(function, call) in self.names else None
        run = statement(self.graph, function, given) if given is not None else None
        if run is None or run.graph:
            return run
        targets = self.graph.targets(function, call)
        if targets:
            return run if all(target.function in self._functions for target in targets) else None
        asks = not _ASKS.isdisjoint(split(self.graph.name(function, call))[:1])
        return None if asks and _SQL.match(run.text) is None else run

    @cached_property
    def names(self) -> frozenset[str]:
        """The names of the methods and functions that may get a statement."""
        functions = {self.program.functions[function].name for function in self._functions}
        return self._named(_RUNS | _ASKS) | functions

    def _named(self, firsts: frozenset[str]) -> frozenset[str]:
        """The names of called methods and functions that begin with one of these words."""
        named = {name for module in self.program.modules for name in module.calls}
        return frozenset(name for name in named if not firsts.isdisjoint(split(name)[:1]))

    @cached_property
    def _functions(self) -> dict[int, None]:
        """The functions that run a statement which they are given."""
        found: dict[int, None] = {}
        names = set(self._named(_RUNS))
        for _ in range(_ROUNDS):
            fresh = {
                function: None
                for name in sorted(names)
                for function, call in self.program.places("calls", name)
                if function not in found and self._hands_on(function, call)
            }
            found.update(fresh)
            names = {self.program.functions[function].name for function in fresh}
        return found

    def _hands_on(self, function: int, call: int) -> bool:
        """The statement of a call is what the function gets first, besides its own object."""
        value = self._given(function, call)
        owner = self.program.functions[function]
        first = 1 if owner.class_index >= 0 and "staticmethod" not in owner.decorators else 0
        pending = [] if value is None else [value]
        seen = set(pending)
        while pending and len(seen) < _MAX_WALK:
            op = owner.ops[pending.pop()]
            if op[:2] == (PARAM, first):
                return True
            more = [held for held in sources(op) if held not in seen]
            seen.update(more)
            pending.extend(more)
        return False

    def _given(self, function: int, call: int) -> int | None:
        op = self.program.op(function, call)
        if op[0] != CALL:
            return None
        if op[4]:
            first: int = op[4][0]
            return first
        return next((value for name, value in op[5] if name in _KEYWORDS), None)
