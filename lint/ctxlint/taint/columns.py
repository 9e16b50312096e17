"""Which column is it? The values of a statement that writes, and where one that reads has them in its rows.

INSERT INTO notes (id, body) VALUES (?, ?)     the second value is `body`
UPDATE notes SET body = :text WHERE id = :id   the value `text` is
SELECT id, n.body AS text FROM notes n         the second of a row, also called "text"; nothing of another column
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache

_INSERT = re.compile(r"\binto\s+[\"'`\[]?[\w.?\"]+[\"'`\]]?\s*\(([^()]*)\)\s*values\s*\(", re.IGNORECASE)
_SET = re.compile(r"\bset\b(.*?)(?:\bwhere\b|\breturning\b|$)", re.IGNORECASE | re.DOTALL)
_SELECT = re.compile(r"\bselect\s+(?:distinct\s+)?(.*?)\bfrom\b", re.IGNORECASE | re.DOTALL)
_VALUE = re.compile(r"\?|%s|\$\d+|[:@]\w+|%\(\w+\)s")
_ALIAS = re.compile(r"\bas\s+[\"'`\[]?(\w+)[\"'`\]]?\s*$", re.IGNORECASE)
_NAME = re.compile(r"(?:\w+\.)?[\"'`\[]?(\w+)[\"'`\]]?$")
_NODE = re.compile(r"\b(?:CREATE|MERGE|MATCH)\s*(?:\w+\s*=\s*)?\(")
_PROPERTY = re.compile(r"(\w+)\s*[:=]\s*('[^']*'|\"[^\"]*\"|\$\w+|true\b|false\b|\d+)")
_EVERY = "*"
HOLE = re.compile(r"\?[a-zA-Z_]")
"""What a statement shows for a part that does not stand in the code."""


@lru_cache(maxsize=512)
def written(text: str) -> dict[int | str, str]:
    """The columns that a statement puts its values in: by number, from 0, or by the name of the value."""
    found: dict[int | str, str] = {}
    number = 0
    change = _SET.search(text)
    if change is not None and any("=" not in part for part in parts(change.group(1))):
        return {}  # `SET {changes} WHERE id = ?`: nobody sees which value is for which column
    for column, value in assigned(text):
        for token in _VALUE.findall(value):
            key: int | str = number
            if token in {"?", "%s"}:
                number += 1
            elif token[0] == "$":
                key = int(token[1:]) - 1
            else:
                key = token.strip("%()s") if token[0] == "%" else token[1:]
            found.setdefault(key, column)  # `VALUES ($1, to_tsvector($1))`: the text first, what is made of it later
    return found


@lru_cache(maxsize=512)
def assigned(text: str) -> tuple[tuple[str, str], ...]:
    """The columns or properties that a statement sets, each with what stands for its value."""
    if _NODE.search(text):
        return tuple((_plain(name), value) for name, value in _PROPERTY.findall(text.partition("RETURN")[0]))
    into = _INSERT.search(text)
    if into is not None:
        columns = [_plain(name) for name in into.group(1).split(",")]
        values = parts(_inside(text, into.end()))
        if len(values) == 1 < len(columns) and values[0].strip().startswith("?"):
            values = ["?"] * len(columns)  # `VALUES ({marks})`
        return tuple(zip(columns, values, strict=True)) if len(columns) == len(values) else ()
    change = _SET.search(text)
    assignments = [part.partition("=") for part in parts(change.group(1))] if change is not None else []
    return tuple((_plain(name), value.strip()) for name, equals, value in assignments if equals)


@lru_cache(maxsize=2048)
def selected(text: str, column: str) -> tuple[str, ...]:
    """The keys under which a statement gives a column in its rows, names and positions; none when it does not."""
    found: dict[str, None] = {}
    for items in _SELECT.findall(text):
        for number, item in enumerate(part.strip() for part in parts(items)):
            if item.rpartition(".")[2] == _EVERY:
                found[column] = None
            elif re.search(rf"\b{re.escape(column)}\b", item, re.IGNORECASE):
                found[str(number)] = None
                name = _ALIAS.search(item) or _NAME.match(item)
                if name is not None:
                    found[name.group(1)] = None
    return tuple(found)


def _plain(name: str) -> str:
    return name.strip().strip("\"'`[]").rpartition(".")[2].lower()


def _inside(text: str, start: int) -> str:
    """What stands in the parentheses that were opened before `start`."""
    depth = 1
    for place in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[place], 0)
        if not depth:
            return text[start:place]
    return text[start:]


def parts(text: str) -> list[str]:
    """What stands between commas that are in no parentheses or braces."""
    return list(_split(text))


def _split(text: str) -> Iterator[str]:
    depth = start = 0
    for place, letter in enumerate(text):
        depth += {"(": 1, "{": 1, "[": 1, ")": -1, "}": -1, "]": -1}.get(letter, 0)
        if letter == "," and not depth:
            yield text[start:place]
            start = place + 1
    yield text[start:]
