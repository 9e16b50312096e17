"""Which property of a node is it? The values of a statement for a graph, and where one gives them back.

CREATE (n:Note {id: $id, body: $text})                 the value `text` is the property `body`
UNWIND $rows AS row SET n.body = row.text              so is the field `text` of the elements of `rows`
MATCH (n:Note) RETURN n.id, n.body AS b                the second of a row, also called "b"
MATCH (n:Note) RETURN n                                a whole node
"""

from __future__ import annotations

import re
from functools import lru_cache

from ctxlint.taint.columns import parts

_PUT = re.compile(r"(\w+)\s*[:=]\s*(?:\w+\(\s*)?\$(\w+)")
_CHANGES = re.compile(r"\b(?:CREATE|MERGE|SET)\b.*?(?=\b(?:MATCH|WHERE|WITH|RETURN|UNWIND|CALL)\b|$)", re.DOTALL)
_SPREAD = re.compile(r"\bUNWIND\s+\$(\w+)\s+AS\s+(\w+)", re.IGNORECASE)
_RETURN = re.compile(r"\bRETURN\b\s*(?:DISTINCT\b)?(.*?)(?:\b(?:ORDER\s+BY|LIMIT|SKIP|UNION)\b|;|$)", re.DOTALL)
_ALIAS = re.compile(r"^(.*?)\s+AS\s+`?(\w+)`?$", re.IGNORECASE | re.DOTALL)
_WHOLE = re.compile(r"^(?:DISTINCT\s+)?(?:\w+\(\s*)*(\w+)\s*\)*(?:\s*\{.*\})?$", re.DOTALL)


@lru_cache(maxsize=512)
def put_in(text: str, value: str, field: str) -> str | None:
    """The property that a statement puts a value in, or a field of its elements.

    Returns:
        "" where it does not show, None when the value only says which nodes are meant.
    """
    changes = "\n".join(_CHANGES.findall(text))
    for name, variable in _SPREAD.findall(text):
        if name == value:
            found = re.search(rf"(\w+)\s*[:=]\s*(?:\w+\(\s*)?{variable}\.{re.escape(field)}\b", changes)
            return str(found.group(1)) if found is not None and field else ""
    known = next((str(name) for name, given in _PUT.findall(changes) if given == value), "")
    asked = any(given == value for _, given in _PUT.findall(text))
    return None if asked and not known and f"${value}" not in changes else known


@lru_cache(maxsize=2048)
def given(text: str, name: str) -> tuple[tuple[str, ...], ...]:
    """Where a row of a statement has a property: paths by name and by place; none when it has not."""
    found: dict[tuple[str, ...], None] = {}
    for items in _RETURN.findall(text)[-1:]:
        for number, item in enumerate(part.strip() for part in parts(items)):
            alias = _ALIAS.match(item)
            what, key = (alias.group(1).strip(), alias.group(2)) if alias is not None else (item, item)
            if re.search(rf"\.{re.escape(name)}\b", what):
                found |= dict.fromkeys(((key,), (str(number),)))
            elif "." not in what.partition("{")[0] and _WHOLE.match(what):
                found |= dict.fromkeys(((key, name), (str(number), name)))
    return tuple(found)
