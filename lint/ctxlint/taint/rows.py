"""Where a text is in the record that a call puts away, and in what those calls give that read such records.

db.save_task(key, title=text)                   the field `title`; db.get_task(key).title, db.load_title(key)
db.save_task(task)                              the field that it had in `task`
db.execute("INSERT INTO t (a, b) ...", (1, x))  the column `b`: a key or a place of a row (`ctxlint.taint.columns`)
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, NamedTuple

from ctxlint.ir.ops import ANY, CALL, IN_LIST
from ctxlint.taint import properties
from ctxlint.taint.columns import HOLE, selected, written
from ctxlint.taint.deeds import singular
from ctxlint.taint.facts import Path, put
from ctxlint.taint.names import split
from ctxlint.taint.records import given_back, gives_text, record_path

if TYPE_CHECKING:
    from ctxlint.taint.engine import Engine
    from ctxlint.taint.facts import Fact
    from ctxlint.taint.stores import Call

_WORD = 3
_PAIR = 2
_MAX_BACK = 6
_WITH_KEYS = "execute_query"
"""The method that gives rows, a summary and keys."""

Facts = Mapping["Fact", "Fact | None"]
"""What the facts of a region follow from."""

_ALONE: Path = ("",)
_SHAPES: dict[str, Path] = {"fetchrow": (), "fetch_one": (), "fetchval": _ALONE}
"""What is around a row in the result of a method of a connection; a list where nothing stands here."""


class Record(NamedTuple):
    """Where the text is in a record that is put away; `field` where it was given as that field of the record."""

    path: Path
    field: str = ""


def put_in(engine: Engine, writer: Call, fact: Fact, facts: Facts) -> list[Record]:
    """Where the text is in the record that a call writes; nowhere when it only says which record is written."""
    if writer.sql:
        column = _property(engine, writer, fact) if writer.graph else _column(engine, writer, fact, facts)
        return [] if column is None else [Record(column)]
    path = record_path(fact.path)
    op = engine.program.op(writer.function, writer.call)
    names = [name for name, value in op[5] if value == fact.value]
    name = names[0] if names else _parameter(engine, writer, fact.value) if len(op[4]) > _PAIR else ""
    words = {singular(word) for word in split(name)}
    if len("".join(words)) < _WORD or words & writer.deed.nouns:
        return [Record(path)]
    if not fact.path and len(op[4]) + len(op[5]) >= _PAIR and engine.stores.deeds.named(name):
        # `save_task(key, title=text)`: the text is one field of the record, and not the record.
        return [Record((name,), name)]
    # `save_note(id=key, content=note)`: the keywords may be the columns of a row.
    return [Record(path), Record(put(names[0], path))] if names and path else [Record(path)]


def _parameter(engine: Engine, writer: Call, value: int) -> str:
    """The parameter that a positional argument is, where a linted function tells."""
    for target in engine.graph.targets(writer.function, writer.call)[:1]:
        parameters = engine.program.functions[target.function].parameters
        for link in engine.graph.passed(writer.function, writer.call, target):
            if link.value == value and not link.put and not link.taken:
                return parameters[link.parameter].name
    return ""


def given(engine: Engine, reader: Call, record: Record, more: list[int]) -> list[Path]:
    """Where the text is in what a reader gives back."""
    if reader.graph:
        return _rows(engine, reader, record.path)
    if reader.sql and record.path:
        return _columns(engine, reader, record.path)
    named = engine.stores.deeds.named(record.field)
    whole = record.field and (
        reader.deed.nouns & named or gives_text(engine.graph, reader.function, reader.call, more)
    )
    path = record.path[1:] if whole else record.path  # `load_title()` gives what `save(title=text)` has put away
    return given_back(engine.graph, reader.function, reader.call, path, more)


def _rows(engine: Engine, reader: Call, record: Path) -> list[Path]:
    """Where a property of a node is in what a graph gives back: in rows, in one row, or in rows first of all."""
    if not record:
        return [()]
    found: list[Path] = []
    for row in properties.given(reader.text, record[0]):
        path = (*row, *record[1:])
        one = () if row[0].isdigit() else (path,)
        known = given_back(engine.graph, reader.function, reader.call, path)
        found.extend(shape for shape in known if shape[0] == IN_LIST or shape in one)
        if engine.graph.name(reader.function, reader.call) == _WITH_KEYS:
            found.append(("0", IN_LIST, *path))
    return found


def _columns(engine: Engine, reader: Call, record: Path) -> list[Path]:
    """Where a column is in what a statement gives: in rows, in a row, or alone."""
    name = engine.graph.name(reader.function, reader.call)
    shape = None if engine.graph.targets(reader.function, reader.call) else _SHAPES.get(name, (IN_LIST,))
    found: list[Path] = []
    for key in selected(reader.text, record[0]):
        path = (key, *record[1:])
        if shape is None:
            found.extend(given_back(engine.graph, reader.function, reader.call, path))
        else:
            found.append((*shape, *path) if shape is not _ALONE else path[1:])
    return found


def _property(engine: Engine, writer: Call, fact: Fact) -> Path | None:
    """The property of a node that a statement puts the text in; () for any, None for a condition."""
    names = [name for name, value in engine.program.op(writer.function, writer.call)[5] if value == fact.value]
    path = (names[0], *fact.path) if names and names[0].isidentifier() else fact.path
    while path and (path[0] in {IN_LIST, ANY} or path[0].isdigit()):
        path = path[1:]
    inner = record_path(path[1:])
    name = properties.put_in(writer.text, path[0], inner[0] if inner else "") if path else ""
    return None if name is None else (name,) if name else ()


def _column(engine: Engine, writer: Call, fact: Fact, facts: Facts) -> Path | None:
    """The column that a statement puts the text in, and where in that it is; () for any, None for a condition."""
    op = engine.program.op(writer.function, writer.call)
    path = fact.path
    while path and path[0] in {IN_LIST, ANY}:
        path = path[1:]
    number = op[4].index(fact.value) if fact.value in op[4] else 0
    known = written(writer.text)
    key: int | str = number - 1
    if path and number <= 1:
        key, path = (int(path[0]) if path[0].isdigit() else path[0]), path[1:]
    elif number <= 1 and "$1" not in writer.text:
        name = _key(engine, writer, fact, facts)
        return (name,) if name and not known else ()
    if key in known:
        return (known[key], *path)
    return None if known and HOLE.search(writer.text) is None else ()


def _key(engine: Engine, writer: Call, fact: Fact, facts: Facts) -> str:
    """`SET {changes}` with `(*fields.values(), key)`: the columns are the keys of the dict that the values are of."""
    ops = engine.program.functions[writer.function].ops
    for _ in range(_MAX_BACK):
        before = facts.get(fact)
        if before is None:
            break
        op = ops[fact.value]
        if op[0] == CALL and op[2] == before.value and op[3] == "values" and before.path:
            return before.path[0] if before.path[0].isidentifier() else ""
        fact = before
    return ""
