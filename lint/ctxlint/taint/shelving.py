"""Text goes into a store or a file: every call that gives it back is an entry of a later round.

self.db.upsert_session(session)     with ("summary",) in the session: a hub with an edge to each `get_session(...)`
path.write_text(memo)               a hub with an edge to each `read_text` and `open` of the same path
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ctxlint.ir.ops import ANY, IN_LIST
from ctxlint.taint.dispatch import narrower
from ctxlint.taint.facts import Fact, Path, put
from ctxlint.taint.heap import Cell
from ctxlint.taint.names import split
from ctxlint.taint.regions import HUB, Edge, Region, Seed
from ctxlint.taint.rows import given, put_in
from ctxlint.taint.switches import anywhere
from ctxlint.taint.unknown import is_key

if TYPE_CHECKING:
    from ctxlint.taint.engine import Engine
    from ctxlint.taint.stores import Call

_MAX_ENTRIES = 24
_WORD = 3
_PAIR = 2
_KEYS = (("key",), ("keys",))


class Put(NamedTuple):
    """What a call puts away: where the text is in it, and the number of the object that it is put into, if known."""

    call: int
    path: Path
    held: int
    kinds: tuple[int, ...]
    """The classes of that object."""


Entry = tuple[int, int, list[Path]]
"""Where a store is read (a function, a value), and where in that value the text may be."""


def shelve(engine: Engine, seed: Seed, fact: Fact, call: int) -> bool:
    """Let derived text that a call puts away be seen by all that read it.

    Returns:
        Whether the call is known to do this and nothing else with the text.
    """
    stores, files = engine.stores, engine.files
    if write_row(engine, seed, fact, call):
        return True
    path = files.written(seed.function, call, fact.value, free=seed.free)
    if path is not None:
        inside = [fact.path, put(IN_LIST, fact.path)] if files.grows(seed.function, call) else [fact.path]
        opened = [(reader.function, reader.value, inside) for reader in files.readers(path)]
        put_in = Put(call, fact.path, seed.held, (engine.program.class_of(seed.function),))
        _keep(engine, seed, fact, put_in, opened)
        return not engine.graph.targets(seed.function, call)
    writer = stores.call(seed.function, call)
    op = engine.program.op(seed.function, call)
    if writer is None or not writer.deed.writes or fact.value == op[2] or is_key(op, fact.value):
        return False
    # Many regions put the same text away: who reads it is worked out once.
    key = (seed.function, call, fact[:3], seed.actual, seed.held)
    known = engine.shelved.get(key)
    if known is None:
        hubs: list[Seed] = []
        engine.shelved[key] = hubs, _put_away(engine, seed, fact, writer, hubs)
        return engine.shelved[key][1]
    for hub in known[0]:
        engine.regions[seed].edges[Edge(hub, fact, "stored", f"{call}")] = None
    return known[1]


def _put_away(engine: Engine, seed: Seed, fact: Fact, writer: Call, hubs: list[Seed]) -> bool:
    stores, call = engine.stores, writer.call
    if _is_key(engine, writer, fact):
        return writer.owner.telling
    held = _object(engine, seed, call)
    readers = [
        reader
        for reader in stores.readers(writer)
        if stores.gives(writer, reader, fact)
        and not engine.abreast.apart(held, engine.abreast.of(reader.function, _receiver(engine, reader)))
    ]
    # All of them read one store: a class that is known at one place tells about the others.
    kinds = list(dict.fromkeys(kind for end in (writer, *readers) for kind in end.owner.classes))
    for record in put_in(engine, writer, fact, engine.regions[seed].facts):
        entries = [
            (reader.function, reader.call, given(engine, reader, record, stores.methods(kinds, reader)))
            for reader in readers
        ]
        # A cursor holds the rows after the call that reads them, unless the call gives them back.
        entries.extend(
            (reader.function, value, given(engine, reader, record, []))
            for reader in readers
            if reader.sql and not reader.graph and not engine.uses(reader.function).get(reader.call)
            for value, position in engine.outs(reader.function).get(reader.call, ())
            if position == "self"
        )
        hubs.extend(_keep(engine, seed, fact, Put(call, record.path, held, writer.owner.classes), entries))
    return writer.owner.telling or bool(readers)


def change_row(engine: Engine, seed: Seed, new: Fact, place: tuple[int, Path]) -> bool:
    """A row was changed that the value of `place` gives: whoever fetches rows of its class gets the text."""
    value, path = place
    kind = engine.mapped.row(seed.function, value)
    return kind >= 0 and _keep_columns(engine, seed, new._replace(path=path), new, (kind, value))


def write_row(engine: Engine, seed: Seed, fact: Fact, call: int) -> bool:
    """`Chat.objects.create(recap=text)`, `update(Chat).values({"recap": text})`: the text is in a column."""
    for value, row in engine.mapped.added(seed.function, call):
        if value == fact.value:
            return _keep_columns(engine, seed, fact, fact, (row, call))
    kind = engine.mapped.written(seed.function, call)
    op = engine.program.op(seed.function, call)
    if kind < 0 or fact.value == op[2]:
        return False
    names = [name for name, value in op[5] if value == fact.value and name not in {"*", "**", "defaults"}]
    path = (names[0], *fact.path) if names else fact.path
    _keep_columns(engine, seed, fact._replace(path=path), fact, (kind, call))
    return True


def _keep_columns(engine: Engine, seed: Seed, fact: Fact, origin: Fact, row: tuple[int, int]) -> bool:
    """Let a text in a column be seen by all that fetch such rows; False for text elsewhere in the object."""
    kind, value = row
    path = fact.path
    while path and (path[0] in {IN_LIST, ANY} or path[0].isdigit()):
        path = path[1:]
    if not path or not engine.mapped.has_column(kind, path[0]):
        return False
    entries = [
        (fetch.function, fetch.value, [(*fetch.shape, *path)]) for fetch in engine.mapped.fetches(kind, fact.mark)
    ]
    _keep(engine, seed, origin, Put(value, path, -1, (kind,)), entries)
    return True


def _receiver(engine: Engine, call: Call) -> int:
    receiver: int = engine.program.op(call.function, call.call)[2]
    return receiver


def _object(engine: Engine, seed: Seed, call: int) -> int:
    """The number of the object that a call puts text into: of the own one, or of one in a field."""
    receiver = engine.program.op(seed.function, call)[2]
    if receiver < 0 or engine.heap.is_self(seed.function, receiver):
        return seed.held
    return engine.abreast.of(seed.function, receiver)


def _is_key(engine: Engine, writer: Call, fact: Fact) -> bool:
    """The text is what the record is found by: `cache.put(key=text, value=vector)`, `kv.set(text, vector)`."""
    op = engine.program.op(writer.function, writer.call)
    if len(op[4]) + len(op[5]) < _PAIR:
        return False
    names = [name for name, value in op[5] if value == fact.value]
    if names:
        return all(split(name)[-1:] in _KEYS for name in names) and fact.value not in op[4]
    return op[4][0] == fact.value and fact.value not in op[4][1:] and op[3] in engine.graph.models.flow.sets


def _keep(engine: Engine, seed: Seed, fact: Fact, what: Put, entries: list[Entry]) -> list[Seed]:
    mark = anywhere(engine.graph, fact.mark)
    if not entries or mark is None:
        return []
    cell = Cell("store", seed.function, f"{what.call}")
    number = engine.numbers.setdefault(cell, len(engine.numbers))
    hub = Seed(HUB, number, what.path, mark, later=True, actual=seed.actual, held=what.held)
    engine.regions[seed].edges[Edge(hub, fact, "stored", cell.name)] = None
    if hub in engine.regions:
        return [hub]
    engine.regions[hub] = Region(engine.regions[seed].depth, engine.regions[seed].source)
    for function, value, paths in [entry for entry in entries if entry[2]][:_MAX_ENTRIES]:
        actual = narrower(engine.program, seed.actual, function)
        for inside in dict.fromkeys(paths):
            inner = engine.abreast.inside(what.held, what.kinds, function)
            entry = Seed(function, value, inside, mark, later=True, actual=actual, held=inner)
            engine.connect(hub, fact, entry, "read")
    return [hub]
