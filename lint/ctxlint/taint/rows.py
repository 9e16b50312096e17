"""Where a text is in the record that a call puts away, and in what those calls give that read such records.

db.save_task(key, title=text)                   the field `title`; db.get_task(key).title, db.load_title(key)
db.save_task(task)                              the field that it had in `task`
db.execute("INSERT INTO t (a, b) ...", (1, x))  the column `b`: a key or a place of a row (`ctxlint.taint.columns`)
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ctxlint.ir.ops import ANY, IN_LIST
from ctxlint.taint.columns import selected, written
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
_ALONE: Path = ("",)
_SHAPES: dict[str, Path] = {"fetchrow": (), "fetch_one": (), "fetchval": _ALONE}
"""What is around a row in the result of a method of a connection; a list where nothing stands here."""


class Record(NamedTuple):
    """Where the text is in a record that is put away; `field` where it was given as that field of the record."""

    path: Path
    field: str = ""


def put_in(engine: Engine, writer: Call, fact: Fact) -> list[Record]:
    """Where the text is in the record that a call writes."""
    if writer.sql and not writer.graph:
        return [Record(_column(engine, writer, fact))]
    path = record_path(fact.path)
    op = engine.program.op(writer.function, writer.call)
    names = [name for name, value in op[5] if value == fact.value]
    if writer.graph:
        return [Record(path or tuple(names[:1]))]
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
        return _rows(record.path)
    if reader.sql and record.path:
        return _columns(engine, reader, record.path)
    named = engine.stores.deeds.named(record.field)
    whole = record.field and (
        reader.deed.nouns & named or gives_text(engine.graph, reader.function, reader.call, more)
    )
    path = record.path[1:] if whole else record.path  # `load_title()` gives what `save(title=text)` has put away
    return given_back(engine.graph, reader.function, reader.call, path, more)


def _rows(record: Path) -> list[Path]:
    """Where a value of a node is in what a graph gives back: rows, rows first of all, or rows of nodes."""
    if not record:
        return [()]
    return [record, (IN_LIST, *record), ("0", IN_LIST, *record), (IN_LIST, ANY, *record)]


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


def _column(engine: Engine, writer: Call, fact: Fact) -> Path:
    """The column that a statement puts the text in, and where in that it is; () for the whole row."""
    op = engine.program.op(writer.function, writer.call)
    path = fact.path
    while path and path[0] in {IN_LIST, ANY}:
        path = path[1:]
    number = op[4].index(fact.value) if fact.value in op[4] else 0
    known = written(writer.text)
    if path and number <= 1:
        column = known.get(int(path[0]) if path[0].isdigit() else path[0])
        return (column, *path[1:]) if column else ()
    column = known.get(number - 1) if number > 1 or "$1" in writer.text else None
    return (column, *path) if column else ()
