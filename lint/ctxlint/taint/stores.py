"""Stores: what is written by one call comes back from another that shares no object with it.

    self.db.upsert_session(session)        stored: path ("summary",) of a session
    session = self.db.get_session(key)     read: the same path, in a later round

A call that nobody can look into (or that only declares what it does) and whose name writes is matched with those
whose name reads, when the store is the same (`owners`), the names speak of the same kind of record (`deeds`), and no
constant key, table or condition keeps them apart (`shelves`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ctxlint.ir.ops import ATTR, CALL, CAPTURE, CONST, NAME, OUT, PARAM
from ctxlint.taint import wheres
from ctxlint.taint.columns import selected, written
from ctxlint.taint.deeds import Deed, Deeds
from ctxlint.taint.keeping import Keeping
from ctxlint.taint.names import split
from ctxlint.taint.owners import Owner, Owners, same
from ctxlint.taint.runners import Runners
from ctxlint.taint.shelves import apart, given_classes, named_classes, narrowed

if TYPE_CHECKING:
    from ctxlint.taint.abreast import Abreast
    from ctxlint.taint.callgraph import CallGraph
    from ctxlint.taint.facts import Fact, Mark
    from ctxlint.taint.files import Files

_FILES = frozenset({"read_text", "write_text", "read_bytes", "write_bytes", "open"})
_SETTINGS = frozenset({"config", "configuration", "count", "kwargs", "limit", "options", "params", "settings"})
"""Last words of readers that give no record: `get_memory_params`."""
_MAKES = "create"
_MAX_READERS = 16
_MAX_ROWS = 40
_MAX_PLAIN = 4
_SURE = 2


class Call(NamedTuple):
    """A call that writes to a store or reads from it."""

    function: int
    call: int
    deed: Deed
    owner: Owner
    sql: bool = False
    """It runs a statement: the nouns are tables."""
    graph: bool = False
    """... of a graph: the nouns are kinds of nodes, and the values have names."""
    text: str = ""
    """The statement."""


class Stores:
    """Finds the readers of what a call writes."""

    def __init__(self, graph: CallGraph, files: Files, abreast: Abreast) -> None:
        self.graph = graph
        self.abreast = abreast
        self.files = files
        self.words = graph.models.stores
        self.keeping = Keeping(graph)
        self.deeds = Deeds(graph.models.stores)
        self.owners = Owners(graph)
        self.runners = Runners(graph)
        self._calls: dict[tuple[int, int], Call | None] = {}
        self._reading: dict[str, list[tuple[int, int]]] | None = None
        self._written: dict[tuple[int, int], wheres.Written] = {}
        self._readers: dict[tuple[int, int], tuple[Call, ...]] = {}
        self._asked: dict[tuple[int, int], list[int]] = {}
        self._given: dict[tuple[int, int], list[int]] = {}
        self._by_owner: dict[tuple[str, tuple[int, ...]], tuple[Call, ...]] = {}

    def call(self, function: int, call: int) -> Call | None:
        """What a call does with a store, None when it does nothing with one."""
        key = (function, call)
        if key not in self._calls:
            self._calls[key] = self._find(function, call)
        return self._calls[key]

    def _find(self, function: int, call: int) -> Call | None:
        run = self.runners.statement(function, call)
        if run is not None:
            conn = Owner("", -1 - function, self.graph.program.module_of[function], telling=True)
            deed = Deed(run.writes, "run", run.tables)
            return Call(function, call, deed, conn, sql=True, graph=run.graph, text=run.text)
        op = self.graph.program.op(function, call)
        if op[0] != CALL or op[2] < 0:
            return None
        name = str(op[3])
        does = self.deeds.of(name)
        flow = self.graph.models.flow
        if does is not None and not does.writes and split(name)[-1] in _SETTINGS:
            does = None
        if does is not None and does.verb in self.words.forms and self.graph.uses(function).get(call):
            does = None  # `text = self.names.replace_names(text)` gives what it makes of the text
        if does is None or name in flow.silent or name in _FILES or not self._dark(function, call, does):
            return None
        owner = self.owners.of(function, op[2])
        if owner is None or owner.name in self.words.modules or self.files.is_file(function, op[2]):
            return None
        surely = owner.telling or owner.classes or does.nouns
        if does.verb in self.words.shared and not surely:
            return None
        return Call(function, call, does, owner)

    def _dark(self, function: int, call: int, does: Deed) -> bool:
        """Nobody can look into the call, or what it runs has no body, or hands on what it is given."""
        targets = self.graph.targets(function, call)
        if targets and any(
            ref.kind == "class" for ref in self.graph.values.refs(function, self.graph.program.op(function, call)[2])
        ):
            return False  # `Note.create(text)` makes a Note
        if targets and does.verb == _MAKES and all(self._only_made(target.function) for target in targets):
            return False
        if all(self.keeping.hands_out(target.function) for target in targets):
            return True
        program = self.graph.program
        op = program.op(function, call)
        for kind in self.graph.values.types(function, op[2]):
            if isinstance(kind.target, int):
                found = program.method(kind.target, op[3])
                if found >= 0 and program.functions[found].abstract:
                    return True
        return False

    def _only_made(self, function: int) -> bool:
        """`self.create_request(text)` makes a Request of the text, and gives it to nobody but the caller."""
        owner = self.graph.program.functions[function]
        users = self.graph.uses(function)
        return bool(owner.returns) and all(
            owner.ops[value][0] == CALL
            and any(ref.kind == "class" for ref in self.graph.values.refs(function, owner.ops[value][1]))
            and not users.get(value)
            for value in owner.returns
            if owner.ops[value][0] != CONST
        )

    # -- readers ---------------------------------------------------------------------------------------------

    def readers(self, writer: Call) -> tuple[Call, ...]:
        """The calls that give back what a call writes: the nearest ones, in the order of the files.

        Who names the kind of record on both ends means it: calls that read anything are left out then.
        """
        key = (writer.function, writer.call)
        known = self._readers.get(key)
        if known is None:
            matching = list(self._matching(writer))
            sure = any(level == _SURE for _, level in matching)
            found = [reader for reader, level in matching if level == _SURE or not sure or self._near(writer, reader)]
            alike = [reader for reader in found if reader.deed.nouns & writer.deed.nouns or self._kin(writer, reader)]
            plain = [reader for reader in found if not reader.deed.nouns]
            # Who says nothing of the kind writes any kind: those who stand together speak of the same one.
            together = (
                [] if writer.deed.nouns else [r for r in found if self._distance(writer, r)[:2] != (True, True)]
            )
            usable = alike or list(dict.fromkeys((*plain, *together))) or found
            if not alike and len(usable) > _MAX_PLAIN:
                # Everything goes through such a store: only those who stand together speak of the same record.
                usable = [reader for reader in usable if self._distance(writer, reader)[:2] != (True, True)]
            most = _MAX_ROWS if writer.sql else _MAX_READERS
            near = sorted(usable, key=lambda reader: self._distance(writer, reader))[:most]
            known = self._readers[key] = tuple(sorted(near, key=lambda reader: (reader.function, reader.call)))
        return known

    def _distance(self, writer: Call, reader: Call) -> tuple[bool, bool, bool, int, int]:
        program = self.graph.program
        holders = (writer.owner.holder, reader.owner.holder)
        akin = min(holders) >= 0 and program.related(*holders)
        here = writer.owner.module == reader.owner.module
        return (not akin, not here, not self._near(writer, reader), reader.function, reader.call)

    def _near(self, writer: Call, reader: Call) -> bool:
        program = self.graph.program
        folders = [program.path_of(call.function).rpartition("/")[0] for call in (writer, reader)]
        return folders[0] == folders[1]

    @cached_property
    def _statements(self) -> tuple[Call, ...]:
        """The calls that run a statement which reads tables."""
        program = self.graph.program
        places = sorted({place for name in self.runners.names for place in program.places("calls", name)})
        calls = (self.call(*place) for place in places)
        return tuple(call for call in calls if call is not None and call.sql and not call.deed.writes)

    def _matching(self, writer: Call) -> Iterator[tuple[Call, int]]:
        if writer.sql:
            found = [reader for reader in self._statements if reader.deed.agrees(writer.deed)]
            home = [reader for reader in found if reader.owner.module == writer.owner.module]
            # What stands for a table in a statement (`FROM {self.table}`) is the same table in one file only.
            anywhere = [] if all(noun[:1] == "?" for noun in writer.deed.nouns) else found
            columns = sorted(set(written(writer.text).values()))
            # Where columns are named, who reads others reads nothing of this.
            exact = [reader for reader in anywhere if any(selected(reader.text, column) for column in columns)]
            yield from ((reader, _SURE) for reader in exact or home or anywhere)
            return
        for reader in self._reading_calls(writer.owner):
            if not writer.deed.fits(reader.deed):
                continue
            level = same(self.graph, writer.owner, reader.owner)
            level = 0 if level and self._apart(writer, reader) else level
            kin = self._kin(writer, reader) if level else None
            if kin is False:
                continue
            level = _SURE if kin else level
            known = level and (
                self.methods(writer.owner.classes, reader) or self.methods(reader.owner.classes, writer)
            )
            if level == _SURE or (level and (known or writer.deed.agrees(reader.deed))):
                yield reader, level

    def _kin(self, writer: Call, reader: Call) -> bool | None:
        """The reader names a class that what the writer is given is of; None where one of them says nothing."""
        asked = self._asked.get(reader[:2])
        if asked is None:
            asked = self._asked[reader[:2]] = named_classes(self.graph, *reader[:2])
        if not asked:
            return None
        given = self._given.get(writer[:2])
        if given is None:
            given = self._given[writer[:2]] = given_classes(self.graph, *writer[:2])
        related = self.graph.program.related
        return any(related(one, other) for one in given for other in asked) if given else None

    def _apart(self, writer: Call, reader: Call) -> bool:
        """Other objects are held beside the one that is written to, and one of them is read."""
        program = self.graph.program
        one, other = (
            self.abreast.of(end.function, program.op(end.function, end.call)[2]) for end in (writer, reader)
        )
        return self.abreast.apart(one, other)

    def methods(self, kinds: Sequence[int], call: Call) -> list[int]:
        """The methods of some classes that a call may run, if its receiver is of one of them."""
        program = self.graph.program
        name = str(program.op(call.function, call.call)[3])
        found = [program.method(kind, name) for kind in kinds]
        return [method for method in found if method >= 0]

    def gives(self, writer: Call, reader: Call, fact: Fact) -> bool:
        """What is written with the marks of a fact is not kept apart from what is read."""
        if writer.sql:
            if wheres.leaves_out(self.graph, reader, self._rows(writer)):
                return False
        elif apart(self.graph, writer, reader, fact):
            return False
        targets = self.graph.targets(reader.function, reader.call)
        return not (fact.mark and any(self.keeping.filters(target.function, fact) for target in targets))

    def _reading_calls(self, owner: Owner) -> tuple[Call, ...]:
        """The calls that may read what an owner holds: many calls write to the same one."""
        key = (owner.name, owner.classes)
        known = self._by_owner.get(key)
        if known is None:
            calls = (self.call(*place) for place in sorted(set(self._candidates(owner))))
            known = tuple(call for call in calls if call is not None and not call.sql and not call.deed.writes)
            self._by_owner[key] = known
        return known

    def narrows(self, function: int, call: int, mark: Mark) -> bool:
        """A call of a linted method asks for records of another kind than one with a mark is."""
        op = self.graph.program.op(function, call)
        does = self.deeds.of(op[3]) if op[0] == CALL and op[3] else None
        return does is not None and not does.writes and narrowed(self.graph, function, call, dict(mark))

    def _rows(self, writer: Call) -> wheres.Written:
        key = (writer.function, writer.call)
        if key not in self._written:
            self._written[key] = wheres.written(self.graph, writer)
        return self._written[key]

    def _candidates(self, owner: Owner) -> Iterator[tuple[int, int]]:
        if self._reading is None:
            self._reading = self._index()
        if owner.name:
            yield from self._reading.get(owner.name, ())
        program = self.graph.program
        for kind in owner.classes:
            for other in (*program.ancestors(kind), *program.descendants(kind)):
                for method in program.classes[other].methods:
                    does = self.deeds.of(method)
                    if does is not None and not does.writes:
                        yield from program.places("calls", method)

    def _index(self) -> dict[str, list[tuple[int, int]]]:
        """The calls whose name reads, by the name of what they are called on."""
        found: dict[str, list[tuple[int, int]]] = {}
        program = self.graph.program
        for first, module in zip(program.first_function, program.modules, strict=True):
            for name, places in module.calls.items():
                does = self.deeds.of(name)
                if does is None or does.writes:
                    continue
                for local, call in places:
                    receiver = module.functions[local].ops[call][2]
                    if receiver >= 0:
                        found.setdefault(self._receiver(first + local, receiver), []).append((first + local, call))
        return found

    def _receiver(self, function: int, receiver: int) -> str:
        owner = self.graph.program.functions[function]
        op = owner.ops[receiver]
        while op[0] == OUT:
            receiver = op[1]
            op = owner.ops[receiver]
        if op[0] == ATTR:
            return self.owners.plain(op[2])
        if op[0] in {NAME, CAPTURE}:
            return self.owners.plain(op[1])
        if op[0] == PARAM:
            return self.owners.plain(op[2])
        return self.owners.plain(
            owner.names.get(receiver) or (self.graph.name(function, receiver) if op[0] == CALL else "")
        )
