"""Objects that somebody out of sight hands to a function, time and again.

def on_step(self, agent):                          nobody in sight calls this: the agent is the same the next time
    text = llm.ask(FOLD + agent.scratchpad)        ... and has the summary
    agent.scratchpad = text
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxlint.ir.ops import DELETE, IN_LIST, OUT, PART, SET_ITEM, WHOLE
from ctxlint.taint.facts import LATER, Fact, Path
from ctxlint.taint.names import split
from ctxlint.taint.objects import sources
from ctxlint.taint.regions import Seed

if TYPE_CHECKING:
    from ctxlint.taint.engine import Engine

_KEPT = frozenset({"memo", "notes", "scratchpad"})
_MANY = frozenset(
    {"article", "chunk", "doc", "document", "entry", "event", "item", "message", "node", "output", "page", "record"}
    | {"report", "request", "response", "result", "row", "section", "task"}
)
"""Last words of names for objects that come by once."""
ANEW = frozenset(
    {"args", "arguments", "body", "config", "event", "kwargs", "params", "payload", "req", "request", "response"}
)
"""A parameter with one of these words in its name comes from outside, each time anew."""
_CUTS = frozenset({"pop", "popleft", "clear", "remove"})


def comes_again(engine: Engine, seed: Seed, new: Fact, place: tuple[int, Path]) -> None:
    """Let what a function has put in its parameter be there when it is called again, by nobody in sight."""
    value, path = place
    if not path or new.round == LATER or engine.graph.callers(seed.function):
        return
    name = str(engine.program.op(seed.function, value)[2])
    if not ANEW.isdisjoint(split(name)):
        return
    lives = path[0].isidentifier() and not engine.graph.models.flow.lasting.isdisjoint(split(name)[-1:])
    if lives or _is_told(engine, name, path) or _is_kept(engine, seed, new, place):
        entry = Seed(seed.function, value, path, new.mark, later=True)
        engine.connect(seed, new, entry, "assigned", carrier=name)
    for function, other in _beside(engine, seed.function, name) if lives else ():
        if engine.accepting.may_read(function, other, path):
            engine.connect(seed, new, Seed(function, other, path, new.mark, later=True), "assigned", carrier=name)


def _is_told(engine: Engine, name: str, path: Path) -> bool:
    """The field is named for what is kept: `desk.notes`, `box["summary"]`; and the object not as one of many."""
    last = split(path[0])[-1:] if path[0].isidentifier() else ()
    kept = engine.graph.models.words.around | engine.graph.models.flow.session_fields | _KEPT
    return bool(last) and last[0] in kept and _MANY.isdisjoint(split(name)[-1:])


def _is_kept(engine: Engine, seed: Seed, new: Fact, place: tuple[int, Path]) -> bool:
    value, path = place
    kinds = engine.graph.values.types(seed.function, value)
    if any(isinstance(kind.target, int) for kind in kinds):
        return True
    if path[:1] == (IN_LIST,) and _is_cut(engine, seed.function, new.value):
        return True
    return path[1:2] == (IN_LIST,)  # the messages of an object that nobody declares


def _is_cut(engine: Engine, function: int, value: int) -> bool:
    """A list lost something before this came in: it is kept short by this function, time and again."""
    ops = engine.program.functions[function].ops
    pending, seen = [value], {value}
    while pending:
        op = ops[pending.pop()]
        if op[0] == DELETE or (op[0] == SET_ITEM and op[2] in {WHOLE, PART}):
            return True
        if op[0] == OUT and op[3] == "self" and ops[op[2]][3] in _CUTS:
            return True
        more = [source for source in sources(op) if source not in seen]
        seen.update(more)
        pending.extend(more)
    return False


def _beside(engine: Engine, function: int, name: str) -> Iterator[tuple[int, int]]:
    """The other methods of the class that get an object by the same name from nobody in sight."""
    program = engine.program
    kind = program.class_of(function)
    first = program.first_function[program.module_of[function]]
    for local in program.classes[kind].methods.values() if kind >= 0 else ():
        other = first + local
        names = [parameter.name for parameter in program.functions[other].parameters]
        if other != function and name in names and not engine.graph.callers(other):
            yield other, names.index(name) + 1
