"""What a store is called for a reader: the file or the table, else the object that is asked.

json.dump(notes, open("notes.json", "w"))       the file notes.json
self.path.write_text(memo)                      the file at self.path
conn.execute("INSERT INTO notes ...", memo)     the table notes
self.db.save_note(memo)                         self.db by save_note()
"""

from __future__ import annotations

from ctxlint.ir.ops import CALL
from ctxlint.taint.engine import Engine
from ctxlint.taint.spelling import spelled

_MAX_FORMS = 4


def written_to(engine: Engine, function: int, call: int) -> str:
    """The store that a call writes to."""
    return _file(engine, function, call) or _tables(engine, function, call) or _asked(engine, function, call)


def read_from(engine: Engine, writer: tuple[int, int], reader: tuple[int, int]) -> str:
    """The store that a value is read from, of which the call is known that wrote to it; "" when it has no name."""
    function, value = reader
    shared = _file(engine, *writer) or _tables(engine, *writer)
    if shared or engine.program.op(function, value)[0] != CALL:
        return shared or spelled(engine.graph, function, value)
    return _asked(engine, function, value)


def _file(engine: Engine, function: int, call: int) -> str:
    known = engine.files.writes(function, call)
    if known is None:
        return ""
    value, path = known
    if path.name and not path.name.startswith("."):
        return f"the file {path.name}"
    at = spelled(engine.graph, function, _bare(engine, function, value))
    return f"the file at {at}" if at else "a file"


def _bare(engine: Engine, function: int, value: int) -> int:
    """The path that a call without a name of its own gives in another form: `str(path)`, `Path(path).resolve()`."""
    owner = engine.program.functions[function]
    for _ in range(_MAX_FORMS):
        op = owner.ops[value]
        if op[0] != CALL or value in owner.names or engine.graph.targets(function, value):
            break
        inner = op[4][0] if op[4] else op[2]
        if inner < 0:
            break
        value = inner
    return value


def _tables(engine: Engine, function: int, call: int) -> str:
    run = engine.stores.call(function, call)
    if run is None or not run.sql or not run.deed.nouns:
        return ""
    names = " and ".join(sorted(run.deed.nouns))
    return f"nodes of {names}" if run.graph else f"the table {names}"


def _asked(engine: Engine, function: int, call: int) -> str:
    op = engine.program.op(function, call)
    asked = spelled(engine.graph, function, op[2]) if op[2] >= 0 else ""
    return f"{asked or 'a store'} by {engine.graph.name(function, call)}()"
