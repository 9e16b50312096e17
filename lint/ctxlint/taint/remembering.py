"""Helpers that remember: a summarizer call on an object that keeps its own conversation reads its earlier summaries.

self.writer = Chat(llm)                    made once, asked again and again
memo = self.writer.ask("Summarize: " + t)  Chat appends prompt and reply to its messages, and sends them all
self.writer.reset()                        before the call: nothing is remembered then

A linted class remembers when the methods that a call runs both add to a field that is called messages, memory or the
like, and read it. Classes of frameworks are known by a model.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from ctxlint.ir.calls import may_change
from ctxlint.ir.ops import (
    ATTR,
    BUILD,
    CALL,
    CAPTURE,
    CONCAT,
    ELEMENT,
    FORMAT,
    IN_LIST,
    LOOP,
    NAME,
    OUT,
    PARAM,
    SET_ATTR,
    Op,
)
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.facts import loop_of
from ctxlint.taint.names import split
from ctxlint.taint.objects import sources
from ctxlint.taint.operands import operands
from ctxlint.taint.spelling import spelled

MEMORY = "$memory"
"""The field that stands for the conversation of an object."""

SiteKey = tuple[int, int]
_MAX_LEVELS = 6
_OUTSIDE = frozenset({PARAM, NAME, CAPTURE, ATTR})
_HOLDING = frozenset({"buffer", "cache", "db", "deque", "entries", "items", "lines", "list", "log", "manager"}) | {
    "queue",
    "records",
    "stack",
    "state",
    "store",
    "thread",
    "window",
}
"""Behind the name of a conversation: what it is kept in."""
_COLLECTIONS = frozenset({"list", "dict", "deque"})
_NEW = frozenset({"init", "initial", "new", "empty", "fresh", "blank"})
_LESS = frozenset({"clear", "delete", "pop", "popitem", "popleft", "remove", "reset", "reverse", "sort", "truncate"})
"""First words of methods after which there is no more in an object than before."""


class Remembering:
    """Finds the sites whose object remembers what it was asked."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self.program = graph.program
        self._known: dict[int, bool] = {}

    def receivers(self, sites: Iterable[SiteKey]) -> Iterator[tuple[SiteKey, int, str]]:
        """The sites on such objects, each with the value of the object and its name."""
        for site in sites:
            function, call = site
            op = self.program.op(function, call)
            holder = op[2] if op[2] >= 0 else op[1]
            if holder < 0 or not self._lives_on(function, holder, call) or self._is_reset(function, holder, call):
                continue
            if self._is_session(function, holder, call) or any(
                self._remembers(target.function)
                for target in self.graph.targets(function, call)
                if target.bound and target.made < 0 and target.receiver >= 0 and not self._is_self(function, holder)
            ):
                yield site, holder, spelled(self.graph, function, holder)

    def _is_self(self, function: int, value: int) -> bool:
        return self._root(function, value)[:2] == (PARAM, 0) and self.program.class_of(function) >= 0

    def _root(self, function: int, value: int) -> tuple[object, ...]:
        op = self.program.op(function, value)
        while op[0] in {LOOP, OUT} and op[1]:
            op = self.program.op(function, op[1])
        return op

    # -- the object ------------------------------------------------------------------------------------------

    def _lives_on(self, function: int, holder: int, call: int) -> bool:
        """The object was there before the call's function, or before its loop: it is asked more than once."""
        pending, seen = [holder], {holder}
        made: list[int] = []
        while pending:
            value = pending.pop()
            op = self.program.op(function, value)
            more = [other for other in sources(op) if other not in seen]
            seen.update(more)
            pending.extend(more)
            if op[0] == CALL:
                made.append(value)
            elif op[0] in _OUTSIDE:
                continue
        if not made:
            return True
        owner = self.program.functions[function]
        around = loop_of(owner, call)
        if any(op[0] == BUILD and op[2:] and (IN_LIST, call) in op[1] for op in owner.ops):
            return all(value < call for value in made)  # `[writer.ask(page) for page in pages]`
        return bool(around) and all(loop_of(owner, value) != around and value < call for value in made)

    def _is_reset(self, function: int, holder: int, call: int) -> bool:
        """Its memory is emptied, or the object made anew, in the same function: before the call or after it."""
        name = spelled(self.graph, function, holder)
        owner = self.program.functions[function]
        loop = loop_of(owner, call)
        flow = self.graph.models.flow
        for value, op in enumerate(owner.ops):
            if loop and loop_of(owner, value) != loop:
                continue
            if op[0] == CALL and op[2] >= 0 and op[3] in flow.resets:
                reset = spelled(self.graph, function, op[2])
                if reset == name or reset.startswith(f"{name}."):
                    return True
            elif op[0] == SET_ATTR and name and self._sets(function, op, name):
                return True
        return False

    def _sets(self, function: int, op: tuple[object, ...], name: str) -> bool:
        """`self.writer = Chat()` and `self.writer.messages = []`."""
        base, field, value = op[1], op[2], op[3]
        if not isinstance(base, int) or not isinstance(value, int):
            return False
        target = f"{spelled(self.graph, function, base)}.{field}"
        fresh = self.program.op(function, value)
        if target == name:
            return bool(fresh[0] == CALL)
        return target.startswith(f"{name}.") and (fresh[:2] == (BUILD, ()) or self._is_new(function, value))

    def _is_new(self, function: int, value: int) -> bool:
        """`Memory()`, `deque()`, `writer.init_messages()`: made of nothing."""
        op = self.program.op(function, value)
        if op[0] != CALL or op[4] or op[5]:
            return False
        name = self.graph.name(function, value)
        return name[:1].isupper() or name in _COLLECTIONS or not _NEW.isdisjoint(split(name))

    # -- its class -------------------------------------------------------------------------------------------

    def _is_session(self, function: int, holder: int, call: int) -> bool:
        flow = self.graph.models.flow
        if self.graph.targets(function, call):
            return False
        for kind in self.graph.values.types(function, holder):
            if str(kind.target).rpartition(".")[2] in flow.session_classes:
                return True
        return any(name in flow.session_makers for name in self._makers(function, holder))

    def _makers(self, function: int, holder: int) -> Iterator[str]:
        """The dotted calls that made the object."""
        places = [(function, holder)]
        op = self._root(function, holder)
        if op[0] == ATTR and isinstance(op[1], int):
            for kind in self.graph.values.types(function, op[1]):
                if isinstance(kind.target, int):
                    places.extend(self.graph.values.fields(kind.target, str(op[2])))
        for where, value in places:
            made = self.program.op(where, value)
            if made[0] == CALL and made[2] >= 0:
                owner = spelled(self.graph, where, made[2]).rpartition(".")[2]
                yield str(made[3])
                yield f"{owner}.{made[3]}"

    def _remembers(self, method: int) -> bool:
        known = self._known.get(method)
        if known is None:
            added: set[str] = set()
            read: set[str] = set()
            for function in self._own_methods(method):
                for op in self.program.functions[function].ops:
                    self._look(function, op, added, read)
            known = self._known[method] = bool(added & read)
        return known

    def _own_methods(self, method: int) -> tuple[int, ...]:
        """The methods of the same object that a method runs."""
        kind = self.program.class_of(method)
        found = {method: None}
        level = [method]
        for _ in range(_MAX_LEVELS):
            below = [
                target.function
                for function in level
                for value, op in enumerate(self.program.functions[function].ops)
                if op[0] == CALL
                for target in self.graph.targets(function, value)
                if target.function not in found and self._same_object(kind, target.function)
            ]
            found.update(dict.fromkeys(below))
            level = list(dict.fromkeys(below))
        return tuple(found)

    def _same_object(self, kind: int, function: int) -> bool:
        other = self.program.class_of(function)
        return kind >= 0 and other >= 0 and self.program.related(kind, other)

    def _look(self, function: int, op: Op, added: set[str], read: set[str]) -> None:
        kind = op[0]
        if kind == CALL:
            name = self._field(function, op[2]) if op[2] >= 0 else ""
            if name and _adds(op[3], self.graph.models.flow.extends):
                added.add(name)
            elif name and op[3] not in self.graph.models.flow.silent:
                read.add(name)
            read.update(self._field(function, value) for value in (*op[4], *(held for _, held in op[5])))
        elif kind == SET_ATTR and self.program.op(function, op[3])[0] == CONCAT:
            parts = self.program.op(function, op[3])[1]
            added.update(name for value in parts if (name := self._field(function, value)) == op[2])
        elif kind in {ELEMENT, FORMAT, CONCAT, BUILD}:
            read.update(self._field(function, value) for value in operands(op))
        read.discard("")

    def _field(self, function: int, value: int) -> str:
        """The field of the method's own object that a value is, when it is called after a conversation."""
        op = self._root(function, value)
        if op[0] != ATTR or not isinstance(op[1], int) or not self._is_self(function, op[1]):
            return ""
        name = str(op[2])
        *before, last = split(name) or ("",)
        words = self.graph.models.flow.session_fields
        # `chat_history` and `message_buffer` hold a conversation, `chat_prompt_helper` does not.
        return name if last in words or (last in _HOLDING and before[-1:] and before[-1] in words) else ""


def _adds(method: str, extends: frozenset[str]) -> bool:
    """The method puts something more in its object."""
    return method in extends or (may_change(method) and (split(method) or ("",))[0] not in _LESS)
