"""Rows as objects: classes whose objects are rows of a table, the calls that fetch them and those that write them.

    class Chat(Base):                                       a mapped class: it names its table, or its base is known
        __tablename__ = "chats"
    chat = db.query(Chat).filter(Chat.id == key).first()    fetched: a Chat
    chat.recap = text                                       whoever fetches a Chat gets the text as its `recap`
    db.execute(update(Chat).values(recap=text))             the same

Sessions have many names, and a row is committed by one that never saw the text: the class is what both ends share.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple

from ctxlint.ir.ops import ATTR, CALL, ELEMENT, FILTER, IN_LIST, ITEM, Op
from ctxlint.taint.facts import Mark, Path
from ctxlint.taint.shelves import narrowed

if TYPE_CHECKING:
    from ctxlint.taint.callgraph import CallGraph

_MAX_CHAIN = 16
_MAX_FETCHES = 40
_WITH_FLAG = frozenset({"get_or_create", "update_or_create", "aget_or_create", "aupdate_or_create"})
"""They give a row, and whether it is new."""


class Fetch(NamedTuple):
    """A value that rows of a class come out of, and where in it one is; the calls that led to it may narrow them."""

    function: int
    value: int
    shape: Path
    chain: tuple[int, ...]


class _Chains(NamedTuple):
    fetches: dict[int, list[Fetch]]
    rows: dict[tuple[int, int], int]
    """The values that hold rows, by the class of these."""
    writes: dict[tuple[int, int], int]
    """The calls that write rows, by the class of these."""


class Mapped:
    """Finds the rows of a program; where no class is mapped, it looks for nothing."""

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph
        self._program = graph.program

    @cached_property
    def classes(self) -> frozenset[int]:
        """The classes whose objects are rows."""
        words = self._graph.models.stores
        own = [
            kind
            for kind, known in enumerate(self._program.classes)
            if not words.tables.isdisjoint(known.attributes)
            or any(self._outside(kind, base) in words.tables for base in known.bases)
        ]
        return frozenset(below for kind in own for below in (kind, *self._program.descendants(kind)))

    def _outside(self, kind: int, base: str) -> str:
        ref = self._program.look_up(self._program.module_of_class[kind], base)
        return str(ref.target) if ref is not None and ref.kind == "external" else ""

    def row(self, function: int, value: int) -> int:
        """The class of the rows that a call gives, -1 for other calls."""
        return self._chains.rows.get((function, value), -1) if self.classes else -1

    def written(self, function: int, call: int) -> int:
        """The class of the rows that a call writes by its keywords, or by a dict; -1 for other calls."""
        return self._chains.writes.get((function, call), -1) if self.classes else -1

    def added(self, function: int, call: int) -> tuple[tuple[int, int], ...]:
        """What a call puts away that is an object of a mapped class, with its class: `db.add(row)`, `row.save()`."""
        words = self._graph.models.stores
        if not self.classes or self._graph.name(function, call) not in words.row_puts:
            return ()
        op = self._program.op(function, call)
        if self._graph.targets(function, call):
            return ()
        held = (op[2], *op[4], *(value for _, value in op[5]))
        return tuple((value, kind) for value in held if value > 0 for kind in self._kinds(function, value))

    def _kinds(self, function: int, value: int) -> list[int]:
        kinds = (*self._graph.values.types(function, value), *self._graph.values.elements(function, value))
        return [kind.target for kind in kinds if isinstance(kind.target, int) and kind.target in self.classes][:1]

    def fetches(self, kind: int, mark: Mark) -> Iterator[Fetch]:
        """Where rows of a class come from, other than those that ask for another kind of row than the marked one."""
        found = self._chains.fetches.get(kind, ())
        for fetch in found[:_MAX_FETCHES]:
            if not mark or not any(narrowed(self._graph, fetch.function, call, dict(mark)) for call in fetch.chain):
                yield fetch

    def has_column(self, kind: int, name: str) -> bool:
        """The field is declared in the class: rows of it have such a column."""
        known = (self._program.classes[other] for other in self._program.ancestors(kind))
        return any(name in other.attributes or name in other.annotations for other in known)

    # -- chains of calls --------------------------------------------------------------------------------------

    @cached_property
    def _chains(self) -> _Chains:
        found = _Chains({}, {}, {})
        names = {self._program.classes[kind].name: None for kind in sorted(self.classes)}
        for name in names:
            for function, value in self._program.places("globals_read", name):
                for ref in self._graph.values.refs(function, value):
                    if ref.kind == "class" and isinstance(ref.target, int) and ref.target in self.classes:
                        self._follow(found, ref.target, function, value)
                        break
        return found

    def _follow(self, found: _Chains, kind: int, function: int, value: int) -> None:
        for user in self._graph.uses(function).get(value, ()):
            start = user if self._asks(kind, function, value, user) else -1
            if start < 0:
                continue
            chain = tuple(self._climb(function, start))
            words = self._graph.models.stores
            writes = [call for call in chain if self._graph.name(function, call) in words.row_writes]
            for call in writes:
                found.writes.setdefault((function, call), kind)
            gives = not writes or self._graph.name(function, chain[-1]) in _WITH_FLAG
            if gives and (function, chain[-1]) not in found.rows:
                found.rows[function, chain[-1]] = kind
                shape = self._shape(function, chain[-1])
                found.fetches.setdefault(kind, []).append(Fetch(function, chain[-1], shape, chain))

    def _asks(self, kind: int, function: int, value: int, user: int) -> bool:
        """`query(Chat)`, `session.get(Chat, key)`, `Chat.objects`, `Chat.find_one(...)`."""
        op = self._program.op(function, user)
        words = self._graph.models.stores
        if op[0] == ATTR:
            return op[1] == value and op[2] in words.row_managers
        if op[0] != CALL:
            return False
        name = self._graph.name(function, user)
        if op[2] == value:
            own = self._program.method(kind, name) >= 0
            return not own and (name in words.row_fetches or name in words.row_writes)
        return op[4][:1] == (value,) and name in words.row_queries

    def _climb(self, function: int, value: int) -> Iterator[int]:
        """The calls of a chain, one on what the one before it gave, up to the one that gives a row."""
        for _ in range(_MAX_CHAIN):
            yield value
            op = self._program.op(function, value)
            if op[0] == CALL and self._gives_row(function, value, op):
                return
            users = self._graph.uses(function).get(value, ())
            after = [user for user in users if self._goes_on(function, value, user)]
            if len(after) != 1:
                return
            value = after[0]

    def _goes_on(self, function: int, value: int, user: int) -> bool:
        op = self._program.op(function, user)
        if op[0] != CALL:
            return False
        name = self._graph.name(function, user)
        return op[2] == value or (value in op[4] and name in self._graph.models.stores.row_queries)

    def _gives_row(self, function: int, call: int, op: Op) -> bool:
        name = self._graph.name(function, call)
        flow = self._graph.models.flow
        named = name in flow.row or name in flow.element or name in self._graph.models.stores.row_one
        return named or name in _WITH_FLAG or (name in flow.keyed and op[2] >= 0)

    def _shape(self, function: int, value: int) -> Path:
        op = self._program.op(function, value)
        if op[0] == CALL and self._gives_row(function, value, op):
            return ("0",) if self._graph.name(function, value) in _WITH_FLAG else ()
        return (IN_LIST,)

    def taken(self, function: int, value: int) -> int:
        """The class of a row that a function gives back: of a call that fetches it, or one of those it fetched."""
        for same in self._graph.values.same(function, value) if self.classes else ():
            op = self._program.op(function, same)
            kind = self.row(function, op[1] if op[0] in {ELEMENT, ITEM, FILTER} else same)
            if kind >= 0:
                return kind
        return -1
