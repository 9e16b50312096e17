"""Objects that were put away before they were changed: whoever finds them there sees the change.

    step = Step(action)
    self.steps.append(step)        the list of the field holds it
    self.trail.add(step)           so does what a method of the program puts it in
    step.outcome = text            from here on `self.steps` holds a step with the text

An assignment to a field is no matter of this file (`ctxlint.taint.escape`).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from ctxlint.ir.ops import ANY, BUILD, CALL, CONST, ELEMENT, IN_LIST, ITEM, OUT, PARAM, SET_ATTR, SET_ITEM, Op
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.facts import Path, put
from ctxlint.taint.objects import sources
from ctxlint.taint.selves import is_own
from ctxlint.taint.target import Target

_REMOVES = frozenset({"remove", "discard"})
_MAX_DEPTH = 2
_MAX_BODIES = 2
_MAX_PLACES = 4
_MAX_ASSIGNED = 2


class Put(NamedTuple):
    """A collection that an object is in from an operation on, and below which fields."""

    function: int
    holder: int
    below: Path
    since: int
    """The operation of the function that was asked about."""
    target: Target | None = None
    """The method that did it, where it is another function's collection."""


class PutAway:
    """Answers about the values of a program, each worked out once."""

    def __init__(self, graph: CallGraph) -> None:
        self._graph = graph
        self._known: dict[tuple[int, int], tuple[Put, ...]] = {}
        self._fields: dict[tuple[int, str], tuple[tuple[int, int], ...]] = {}

    def of(self, function: int, value: int, depth: int = 0) -> tuple[Put, ...]:
        """Where a value's object was put, under this name or under those that it had before."""
        key = (function, value)
        known = self._known.get(key)
        if known is None:
            self._known[key] = ()
            found = self._find(function, value, depth)
            known = self._known[key] = tuple(found) if len(found) <= _MAX_PLACES else ()
        return known

    def in_field(self, kind: int, name: str) -> tuple[tuple[int, int], ...]:
        """The values that a field is set to whose object others have as well."""
        key = (kind, name)
        known = self._fields.get(key)
        if known is None:
            places = dict.fromkeys(self._graph.values.fields(kind, name))
            found = [place for place in places if self.of(*place) or self._is_shared(*place)]
            known = self._fields[key] = tuple(found) if len(found) <= _MAX_ASSIGNED else ()
        return known

    def _is_shared(self, function: int, value: int) -> bool:
        """`self.current = self.steps[number]`, or what the one call of a constructor has brought along."""
        for same in self._graph.values.same(function, value):
            op = self._graph.program.op(function, same)
            if op[0] in {ELEMENT, ITEM} or (op[0] == PARAM and op[1] > 0 and self._is_made_once(function)):
                return True
        return False

    def _is_made_once(self, function: int) -> bool:
        owner = self._graph.program.functions[function]
        return owner.name == "__init__" and len(self._graph.callers(function)) == 1

    def _find(self, function: int, value: int, depth: int) -> dict[Put, None]:
        found: dict[Put, None] = {}
        ops = self._graph.program.functions[function].ops
        users = self._graph.uses(function)
        pending, seen = [value], {value}
        while pending:
            current = pending.pop()
            for user in users.get(current, ()):
                if ops[user][0] == CALL and ops[user][3] in _REMOVES and current in ops[user][4]:
                    return {}  # `self.jobs.remove(job)`: it was there for a while
                found.update(dict.fromkeys(self._use(function, current, user, depth)))
            more = [source for source in sources(ops[current]) if source not in seen]
            seen.update(more)
            pending.extend(more)
        return found

    def _use(self, function: int, value: int, user: int, depth: int) -> Iterator[Put]:
        op = self._graph.program.op(function, user)
        if op[0] == SET_ITEM and op[3] == value and (op[2] is None or isinstance(op[2], str | int)):
            yield Put(function, user, (ANY if op[2] is None else str(op[2]),), user)
        elif op[0] == BUILD:
            yield from (Put(function, user, (field[0],), user) for field in op[1] if field[1] == value and field[0])
        elif op[0] == CALL and (value in op[4] or any(held == value for _, held in op[5])):
            yield from self._call(function, value, user, depth)

    def _call(self, function: int, value: int, call: int, depth: int) -> Iterator[Put]:
        op = self._graph.program.op(function, call)
        links = self._graph.links(function, call)
        if not links:
            field = self._added(function, op, value)
            if field:
                yield Put(function, self._after(function, call), (field,), call)
        elif depth < _MAX_DEPTH and len(links) <= _MAX_BODIES:
            for target, passed in links:
                for link in passed:
                    inner = link.parameter + 1
                    if link.value == value and not link.put and not link.taken and self._is(target.function, inner):
                        if self._assigns(target.function, inner):
                            yield Put(target.function, inner, (), call, target)
                        for held in self.of(target.function, inner, depth + 1):
                            yield held._replace(since=call, target=held.target or target)

    def _is(self, function: int, parameter: int) -> bool:
        ops = self._graph.program.functions[function].ops
        return parameter < len(ops) and ops[parameter][:2] == (PARAM, parameter - 1)

    def _assigns(self, function: int, parameter: int) -> bool:
        """A method keeps what it gets in a field of its own object."""
        owner = self._graph.program.functions[function]
        users = self._graph.uses(function).get(parameter, ())
        ops = [owner.ops[user] for user in users]
        return any(op[0] == SET_ATTR and op[3] == parameter and is_own(owner, op[1]) for op in ops)

    def _added(self, function: int, op: Op, value: int) -> str:
        """The field of the receiver that a method of a collection fills."""
        flow = self._graph.models.flow
        if op[2] < 0 or value == op[2]:
            return ""
        if op[3] in flow.appends:
            return IN_LIST if op[4][-1:] == (value,) else ""
        if op[3] in flow.sets and op[4][1:2] == (value,):
            key = self._graph.program.op(function, op[4][0])
            return key[1] if key[0] == CONST and isinstance(key[1], str) else ANY
        return ""

    def _after(self, function: int, call: int) -> int:
        """The collection that a method was called on, as it is from then on."""
        receiver: int = self._graph.program.op(function, call)[2]
        for user in self._graph.uses(function).get(receiver, ()):
            op = self._graph.program.op(function, user)
            if op[0] == OUT and op[2] == call and op[3] == "self":
                return user
        return receiver


def below(place: Put, path: Path) -> Path:
    """The path of a text in the collection that the object with it is in."""
    for field in reversed(place.below):
        path = put(field, path)
    return path
