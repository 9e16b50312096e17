"""Conditions of statements: does one that reads leave out the rows that one which writes has made?

INSERT INTO notes (body, kind) VALUES (?, 'recap')       writes rows with kind = 'recap'
SELECT body FROM notes WHERE kind = 'turn'               gives none of them
SELECT body FROM notes WHERE kind = ? OR pinned          may give some
MATCH (n:Note) WHERE n.kind <> 'recap' RETURN n.body     gives none
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from ctxlint.ir.ops import BUILD, CONST
from ctxlint.taint.columns import assigned, parts

if TYPE_CHECKING:
    from ctxlint.taint.callgraph import CallGraph
    from ctxlint.taint.stores import Call

_WHERE = re.compile(
    r"\bwhere\b(.*?)(?=\b(?:group\s+by|order\s+by|having|limit|return|with|match|union|for\s+update)\b|;|$)",
    re.IGNORECASE | re.DOTALL,
)
_MANY = re.compile(r"\b(?:union|optional)\b|\bwhere\b.*\bwhere\b", re.IGNORECASE | re.DOTALL)
_ATOM = re.compile(
    r"^(?:\w+\.)?[\"'`\[]?(\w+)[\"'`\]]?\s*(==|=|!=|<>|is\s+null|not\s+in|in)\s*(.*)$", re.IGNORECASE | re.DOTALL
)
_TEXT = re.compile(r"^'([^']*)'$|^\"([^\"]*)\"$|^(true|false|\d+)$", re.IGNORECASE)
_VALUE = re.compile(r"\?|%s|%\((\w+)\)s|\$(\w+)|(?<!:):(\w+)")
_FLAGS = {"true": "1", "false": "0"}

Written = tuple[tuple[str, str], ...]
"""The columns that hold a constant in the rows that a statement writes."""


def written(graph: CallGraph, writer: Call) -> Written:
    """The constants that a statement puts in columns, also those that are passed to it as values."""
    found = {column: _constant(value) for column, value in assigned(_filled(graph, writer))}
    return tuple(sorted((column, value) for column, value in found.items() if value is not None))


def leaves_out(graph: CallGraph, reader: Call, rows: Written) -> bool:
    """No row with these constants meets the conditions of a statement."""
    return bool(rows) and _refuses(_filled(graph, reader), rows)


def _filled(graph: CallGraph, run: Call) -> str:
    """A statement with the constants among its values put in."""
    op = graph.program.op(run.function, run.call)
    given: dict[str, object] = {}
    values = op[4][1:]
    if len(values) == 1 and graph.program.op(run.function, values[0])[0] == BUILD:
        pairs = [(str(name), value) for name, value, *_ in graph.program.op(run.function, values[0])[1]]
    else:
        pairs = [(str(number), value) for number, value in enumerate(values)]
    for name, value in (*pairs, *op[5]):
        known = graph.program.op(run.function, value)
        if known[0] == CONST and isinstance(known[1], str | int):
            given[name] = known[1]
    return _put_in(run.text, given) if given else run.text


def _put_in(text: str, given: dict[str, object]) -> str:
    number = -1

    def fill(match: re.Match[str]) -> str:
        nonlocal number
        name = next((known for known in match.groups() if known), "")
        if not name:
            number += 1
            name = str(number)
        elif name.isdigit():
            name = str(int(name) - 1)
        value = given.get(name)
        if value is None or (isinstance(value, str) and "'" in value):
            return match.group()
        return str(int(value)) if isinstance(value, int) else f"'{value}'"

    return _VALUE.sub(fill, text)


@lru_cache(maxsize=4096)
def _refuses(text: str, rows: Written) -> bool:
    found = [] if _MANY.search(text) else _WHERE.findall(text)
    held = dict(rows)
    return any(_fails(part, held) for part in _parted(found[0], "and")) if found else False


def _fails(condition: str, held: dict[str, str]) -> bool:
    """A condition is surely not met. Of several that are joined by OR, all are."""
    condition = condition.strip()
    while condition[:1] == "(" and condition[-1:] == ")" and len(parts(condition[1:-1])) == 1:
        condition = condition[1:-1].strip()
    choices = _parted(condition, "or")
    if len(choices) > 1:
        return all(_fails(choice, held) for choice in choices)
    atom = _ATOM.match(condition)
    value = held.get(atom.group(1).lower()) if atom is not None else None
    if atom is None or value is None:
        return False
    how = " ".join(atom.group(2).lower().split())
    if how == "is null":
        return True
    right = atom.group(3).strip()
    inner = [_constant(part) for part in parts(right.strip("()[]"))] if how.endswith("in") else [_constant(right)]
    if not inner or None in inner:
        return False
    return (value in inner) == (how in {"!=", "<>", "not in"})


def _constant(text: str) -> str | None:
    found = _TEXT.match(text.strip())
    if found is None:
        return None
    value = next(known for known in found.groups() if known is not None)
    return _FLAGS.get(value.lower(), value) if found.group(3) else value


def _parted(text: str, word: str) -> list[str]:
    """What stands between the words, outside of parentheses."""
    found: list[str] = []
    depth = start = 0
    for match in re.finditer(rf"[(){{}}]|\b{word}\b", text, re.IGNORECASE):
        depth += {"(": 1, "{": 1, ")": -1, "}": -1}.get(match.group(), 0)
        if not depth and match.group().lower() == word:
            found.append(text[start : match.start()])
            start = match.end()
    return [*found, text[start:]]
