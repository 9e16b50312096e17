"""Tables of prompts: which of their entries is taken.

    PROMPTS = {"en": {"fold": "Summarize: {turns}", "ask": "Answer: {text}"}, "de": {"fold": ..., "ask": ...}}
    PROMPTS["en"]["fold"]                the one entry
    PROMPTS[language]["fold"]            that entry of each table in the table
    PROMPTS.get(language, {}).get(name)  the same, by the constants that were passed as `name` on the way here

Any prompt of a table says nothing about the one that is taken.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ctxlint.ir.ops import BUILD, CALL, CONST, ITEM, SET_ITEM
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.joined import Point

KEYED = frozenset({"get", "pop", "setdefault"})
_FEW = 2
_MAX_NAMES = 4
_MAX_NESTED = 12

Entry = tuple[str, int]


class Tables:
    """Answers for one search: `held` gives what a name stands for, `named` takes a text that a key names."""

    def __init__(
        self, graph: CallGraph, held: Callable[[Point], list[Point] | None], named: Callable[[str, int], bool]
    ) -> None:
        self._graph = graph
        self._held = held
        self._named = named
        self.keys: set[str] = set()
        """The constants that were passed on the way here: `get_prompt("fold")` may read a table by its parameter."""

    def entry(self, point: Point, base: int, key: object) -> list[Point]:
        """One entry of a table, where the table and the key are known; else the whole of it."""
        table = point.at(base)
        for _ in range(_MAX_NAMES):
            nested = self._nested(table)
            if nested:
                return [taken for part, entries in nested for taken in self._taken(part, entries, key)]
            entries = self._entries(table)
            if entries is not None:
                return self._taken(table, entries, key)
            held = self._held(table)
            if held is None or len(held) != 1:
                break
            table = held[0]
        if isinstance(key, str) and self._named(key, point.function):
            return []
        return [table]

    def _taken(self, table: Point, entries: list[Entry], key: object) -> list[Point]:
        wanted = self.keys if key is None else (str(key),)
        taken = [table.at(value) for name, value in entries if name in wanted]
        if taken or len(entries) <= _FEW:
            return taken[-1:] or [table.at(value) for _, value in entries]
        if key is None and self._of_tables(table, entries):
            return [table.at(value) for _, value in entries]
        return [] if key is None or all(name.isidentifier() for name, _ in entries) else [table]

    def _of_tables(self, table: Point, entries: list[Entry]) -> bool:
        """Each entry is a table itself: whichever is taken, what is in it is told apart by the next key."""
        return len(entries) <= _MAX_NESTED and all(self._entries(table.at(value)) for _, value in entries)

    def _nested(self, table: Point) -> list[tuple[Point, list[Entry]]]:
        """The tables that a table in a table may be, with their entries; none where it is no such thing."""
        op = self._graph.program.op(table.function, table.value)
        if op[0] == ITEM:
            parts = self.entry(table, op[1], op[2])
        elif op[0] == CALL and op[3] in KEYED and op[2] >= 0 and op[4]:
            key = self._graph.program.op(table.function, op[4][0])
            parts = self.entry(table, op[2], key[1] if key[0] == CONST and isinstance(key[1], str) else None)
        elif op[0] == CALL:
            parts = self._returned(table)
        else:
            return []
        found = [(part, entries) for part in parts for entries in self._read(part)]
        return found if len(found) == len(parts) else []

    def _returned(self, table: Point) -> list[Point]:
        """The tables that a function gives: `prompts_of(language)`, which is one of several that are written down."""
        program = self._graph.program
        functions = [target.function for target in self._graph.targets(table.function, table.value)]
        returns = [(function, value) for function in functions for value in program.functions[function].returns]
        return [self._named_by(Point(*place, table.hops)) for place in returns] if len(returns) <= _MAX_NESTED else []

    def _named_by(self, table: Point) -> Point:
        """What a name stands for, as far as that is one thing."""
        for _ in range(_MAX_NAMES):
            held = self._held(table) if self._entries(table) is None else None
            if held is None or len(held) != 1:
                break
            table = held[0]
        return table

    def _read(self, part: Point) -> Iterator[list[Entry]]:
        entries = self._entries(part)
        if entries is not None:
            yield entries

    def _entries(self, table: Point) -> list[Entry] | None:
        """The keys and values of a table that is written here, at once or key by key; None for what is none."""
        ops = self._graph.program.functions[table.function].ops
        value, later = table.value, list[Entry]()
        while ops[value][0] == SET_ITEM:
            later.append((str(ops[value][2]), ops[value][3]))
            value = ops[value][1]
        op = ops[value]
        if op[0] == BUILD:
            return [*op[1], *reversed(later)]
        if op[0] == CALL and self._graph.name(table.function, value) == "dict" and not op[4]:
            return [*op[5], *reversed(later)]
        return None
