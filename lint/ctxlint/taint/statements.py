"""Statements that stand in the code: which tables or kinds of nodes do they write, which do they read?

INSERT INTO notes (id, text) VALUES (?, ?)      writes {"notes"}
SELECT text FROM notes WHERE id = ?             reads {"notes"}
MERGE (n:Note {id: $id}) SET n.text = $text     writes {"note"}, in a graph
MATCH (n:Note {id: $id}) RETURN n               reads {"note"}
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ctxlint.ir.ops import ATTR, CALL, CONCAT, CONST, EXIT, FILTER, FORMAT, LOOP, NAME, OUT, PARAM, PHI
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.spelling import spelled

_WRITES = re.compile(r"\s*(?:insert|replace|update|merge|upsert)\b", re.IGNORECASE)
_READS = re.compile(r"\s*(?:select|with)\b", re.IGNORECASE)
_SETS = r"update(?=\s+[^;]{1,200}?\sset\s)"
"""A statement, and not the prompt "update the existing notes"."""
_INTO = re.compile(
    r"\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|merge\s+into|" + _SETS + r")\s+[\"'`\[]?([\w.?\"]+)",
    re.IGNORECASE,
)
_FROM = re.compile(r"\b(?:from|join)\s+[\"'`\[]?([\w.?\"]+)", re.IGNORECASE)
_PATTERN = re.compile(r"\b(?:MATCH|MERGE|CREATE)\s*(?:\w+\s*=\s*)?\(")
_PUTS = re.compile(r"\b(?:MERGE|CREATE|SET)\b")
_GIVES = re.compile(r"\bRETURN\b")
_MADE = re.compile(r"\b(?:MERGE|CREATE)\b(.*?)(?=\b(?:MATCH|WITH|SET|ON|RETURN|UNWIND|CALL)\b|$)", re.DOTALL)
_KIND = re.compile(r"[(\[]\s*\w*\s*:\s*`?(\w+)")
_HOLE = re.compile(r"\{(\w*)\}")
_SAME = frozenset({FILTER, LOOP, OUT})
_EITHER = frozenset({EXIT, PHI})
_WHOLE = _SAME | _EITHER | {CONCAT, FORMAT}
_FORMS = frozenset({"dedent", "format", "lstrip", "rstrip", "strip"})
_MAX_PARTS = 20
_MAX_READ = 120
_MAX_CALLS = 6
_MAX_TARGETS = 2
_MAX_RETURNS = 6


class Statement(NamedTuple):
    """What a statement does, and with which tables (in lower case, without their schema) or kinds of nodes."""

    writes: bool
    tables: frozenset[str]
    graph: bool = False
    text: str = ""


def statement(graph: CallGraph, function: int, value: int) -> Statement | None:
    """The statement that a value holds; None when it is none, or its tables are not known."""
    text = Reading(graph).text(function, value)
    if _PATTERN.search(text):
        return _of_graph(text)
    writes = _WRITES.match(text) is not None
    if not writes and _READS.match(text) is None:
        return None
    found = (_INTO if writes else _FROM).findall(text)
    names = (name.rpartition(".")[2].strip('"').lower() for name in found)
    tables = frozenset(name for name in names if name.strip("?"))
    return Statement(writes, tables, text=text) if tables else None


def _of_graph(text: str) -> Statement | None:
    writes = _PUTS.search(text) is not None
    made = "".join(_MADE.findall(text)) if writes else ""
    kinds: frozenset[str] = frozenset(kind.lower() for kind in _KIND.findall(made) or _KIND.findall(text))
    if not writes and _GIVES.search(text) is None:
        kinds = frozenset()  # what it only deletes, it does not give
    return Statement(writes, kinds, graph=True, text=text)


Given = dict[int, str]
"""What a call gives the parameters of the function whose text is asked for."""


class Reading:
    """Puts the text of one statement together, out of at most so many parts."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self._left = _MAX_READ

    def text(self, function: int, value: int, depth: int = 0, given: Given | None = None) -> str:
        """The constant parts of a text; what is put in between is a `?` and its name."""
        self._left -= 1
        if depth > _MAX_PARTS or self._left < 0:
            return "?"
        op = self.graph.program.op(function, value)
        kind = op[0]
        if kind in _WHOLE:
            parts = (op[1],) if kind in _SAME else op[1][: _MAX_RETURNS if kind in _EITHER else _MAX_PARTS]
            texts = [self.text(function, part, depth + 1, given) for part in parts]
            return ("\n" if kind in _EITHER else "").join(texts)
        held = _held(self.graph, function, value)
        if held is not None:
            return self.text(*held, depth + 1)
        if kind == CALL:
            return self._called(function, value, depth, given)
        known = op[1] if kind == CONST else given.get(op[1]) if kind == PARAM and given else None
        return known if isinstance(known, str) else _unknown(self.graph, function, value)

    def _called(self, function: int, call: int, depth: int, given: Given | None) -> str:
        """The texts that a linted function may give, one behind the other; of a method of a text, that text."""
        graph = self.graph
        op = graph.program.op(function, call)
        if op[2] >= 0 and op[3] in _FORMS:
            return _HOLE.sub(r"?\1", self.text(function, op[2], depth + 1, given))
        found: list[str] = []
        for target in graph.targets(function, call)[:_MAX_TARGETS] if depth < _MAX_CALLS else ():
            passed = {
                position: self.text(function, held, depth + 1, given)
                for held, position in graph.passes(function, call, target)
            }
            returns = graph.program.functions[target.function].returns[:_MAX_RETURNS]
            found.extend(self.text(target.function, returned, depth + 1, passed) for returned in returns)
        whole = "\n".join(found[:_MAX_RETURNS])
        if whole.strip("?.\n"):
            return whole
        # `{self.table("notes")}` of a function that nobody knows
        alone = graph.program.op(function, op[4][0]) if len(op[4]) == 1 else op
        return alone[1] if alone[0] == CONST and isinstance(alone[1], str) else "?"


def _unknown(graph: CallGraph, function: int, value: int) -> str:
    """`{self.table}` is no text that is known, but always the same one in its file."""
    name = spelled(graph, function, value).rpartition(".")[2]
    return f"?{name}" if name.isidentifier() else "?"


def _held(graph: CallGraph, function: int, value: int) -> tuple[int, int] | None:
    """What a name, a field or a call that marks a text as SQL stands for."""
    program = graph.program
    op = program.op(function, value)
    if op[0] == NAME:
        return program.global_value(program.module_of[function], op[1])
    if op[0] == ATTR:
        kinds = [kind.target for kind in graph.values.types(function, op[1])]
        return next(
            (held for kind in kinds if isinstance(kind, int) for held in graph.values.fields(kind, op[2])), None
        )
    wraps = op[0] == CALL and len(op[4]) == 1 and graph.name(function, value) in {"text", "SQL", "dedent", "sql"}
    return (function, op[4][0]) if wraps else None
