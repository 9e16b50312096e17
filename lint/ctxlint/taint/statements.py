"""Statements that stand in the code: which tables or kinds of nodes do they write, which do they read?

INSERT INTO notes (id, text) VALUES (?, ?)      writes {"notes"}
SELECT text FROM notes WHERE id = ?             reads {"notes"}
MERGE (n:Note {id: $id}) SET n.text = $text     writes {"note"}, in a graph
MATCH (n:Note {id: $id}) RETURN n               reads {"note"}
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ctxlint.ir.ops import ATTR, CALL, CONCAT, CONST, EXIT, FORMAT, NAME, PHI
from ctxlint.taint.callgraph import CallGraph

_WRITES = re.compile(r"\s*(?:insert|replace|update|merge|upsert)\b", re.IGNORECASE)
_READS = re.compile(r"\s*(?:select|with)\b", re.IGNORECASE)
_INTO = re.compile(
    r"\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|merge\s+into|update)\s+[\"'`\[]?([\w.]+)", re.IGNORECASE
)
_FROM = re.compile(r"\b(?:from|join)\s+[\"'`\[]?([\w.]+)", re.IGNORECASE)
_PATTERN = re.compile(r"\b(?:MATCH|MERGE|CREATE)\s*(?:\w+\s*=\s*)?\(")
_PUTS = re.compile(r"\b(?:MERGE|CREATE|SET)\b")
_GIVES = re.compile(r"\bRETURN\b")
_MADE = re.compile(r"\b(?:MERGE|CREATE)\b(.*?)(?=\b(?:MATCH|WITH|SET|ON|RETURN|UNWIND|CALL)\b|$)", re.DOTALL)
_KIND = re.compile(r"[(\[]\s*\w*\s*:\s*`?(\w+)")
_MAX_PARTS = 20
_MAX_RETURNS = 6


class Statement(NamedTuple):
    """What a statement does, and with which tables (in lower case, without their schema) or kinds of nodes."""

    writes: bool
    tables: frozenset[str]
    graph: bool = False
    text: str = ""


def statement(graph: CallGraph, function: int, value: int) -> Statement | None:
    """The statement that a value holds; None when it is none, or its tables are not known."""
    text = _text(graph, function, value, 0)
    if _PATTERN.search(text):
        return _of_graph(text)
    writes = _WRITES.match(text) is not None
    if not writes and _READS.match(text) is None:
        return None
    found = (_INTO if writes else _FROM).findall(text)
    tables = frozenset(name.rpartition(".")[2].lower() for name in found)
    return Statement(writes, tables, text=text) if tables else None


def _of_graph(text: str) -> Statement | None:
    writes = _PUTS.search(text) is not None
    made = "".join(_MADE.findall(text)) if writes else ""
    kinds: frozenset[str] = frozenset(kind.lower() for kind in _KIND.findall(made) or _KIND.findall(text))
    if not writes and _GIVES.search(text) is None:
        kinds = frozenset()  # what it only deletes, it does not give
    return Statement(writes, kinds, graph=True)


def _text(graph: CallGraph, function: int, value: int, depth: int) -> str:
    """The constant parts of a text; what is put in between is a `?`."""
    if depth > _MAX_PARTS:
        return "?"
    program = graph.program
    op = program.op(function, value)
    if op[0] == CONST:
        return op[1] if isinstance(op[1], str) else "?"
    if op[0] in {PHI, EXIT}:
        return "\n".join(_text(graph, function, part, depth + 1) for part in op[1][:_MAX_RETURNS])
    if op[0] in {CONCAT, FORMAT}:
        return "".join(_text(graph, function, part, depth + 1) for part in op[1][:_MAX_PARTS])
    held = _held(graph, function, value)
    if held is None and op[0] == CALL:
        return _given(graph, function, value, depth)
    return "?" if held is None else _text(graph, *held, depth + 1)


def _given(graph: CallGraph, function: int, call: int, depth: int) -> str:
    """The texts that a linted function may give, one behind the other."""
    found = [
        (target.function, given)
        for target in graph.targets(function, call)
        for given in graph.program.functions[target.function].returns
    ]
    return "\n".join(_text(graph, *place, depth + 1) for place in found[:_MAX_RETURNS]) or "?"


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
