"""SQL statements that stand in the code: which tables do they write, which do they read?

INSERT INTO notes (id, text) VALUES (?, ?)      writes {"notes"}
SELECT text FROM notes WHERE id = ?             reads {"notes"}
"""

from __future__ import annotations

import re
from typing import NamedTuple

from ctxlint.ir.ops import ATTR, CALL, CONCAT, CONST, FORMAT, NAME
from ctxlint.taint.callgraph import CallGraph

_WRITES = re.compile(r"\s*(?:insert|replace|update|merge|upsert)\b", re.IGNORECASE)
_READS = re.compile(r"\s*(?:select|with)\b", re.IGNORECASE)
_INTO = re.compile(
    r"\b(?:insert\s+(?:or\s+\w+\s+)?into|replace\s+into|merge\s+into|update)\s+[\"'`\[]?([\w.]+)", re.IGNORECASE
)
_FROM = re.compile(r"\b(?:from|join)\s+[\"'`\[]?([\w.]+)", re.IGNORECASE)
_MAX_PARTS = 20


class Statement(NamedTuple):
    """What a statement does, and with which tables (in lower case, without their schema)."""

    writes: bool
    tables: frozenset[str]


def statement(graph: CallGraph, function: int, value: int) -> Statement | None:
    """The statement that a value holds; None when it is none, or its tables are not known."""
    text = _text(graph, function, value, 0)
    writes = _WRITES.match(text) is not None
    if not writes and _READS.match(text) is None:
        return None
    found = (_INTO if writes else _FROM).findall(text)
    tables = frozenset(name.rpartition(".")[2].lower() for name in found)
    return Statement(writes, tables) if tables else None


def _text(graph: CallGraph, function: int, value: int, depth: int) -> str:
    """The constant parts of a text; what is put in between is a `?`."""
    if depth > _MAX_PARTS:
        return "?"
    program = graph.program
    op = program.op(function, value)
    if op[0] == CONST:
        return op[1] if isinstance(op[1], str) else "?"
    if op[0] in {CONCAT, FORMAT}:
        return "".join(_text(graph, function, part, depth + 1) for part in op[1][:_MAX_PARTS])
    held = _held(graph, function, value)
    return "?" if held is None else _text(graph, *held, depth + 1)


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
