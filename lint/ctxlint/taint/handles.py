"""Handles: objects that nobody can look into, through which records of several kinds go in and out.

session.save_recap(text)        the session holds it among its recaps: path ("+recap",)
session.recaps()                gives it back, and so does session.load_recap()
session.load_profile()          does not: another kind of record
render(session), f"{session}"   do not: a handle is no text, it only leads to some

What is put into a container (`turns.append(note)`) is an element of it, and goes wherever the container goes.
"""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from ctxlint.taint.deeds import Deeds
from ctxlint.taint.facts import HELD, Path, put
from ctxlint.taint.names import split
from ctxlint.taint.records import changed
from ctxlint.taint.spelling import spelled

if TYPE_CHECKING:
    from ctxlint.ir.ops import Op
    from ctxlint.models.schema import StoreWords
    from ctxlint.taint.callgraph import CallGraph
    from ctxlint.taint.facts import Fact

_RUNS = frozenset({"execute", "executemany", "executescript", "execute_query", "execute_write", "execute_read"})
"""Methods that get a statement, which says what is done with the values behind it."""
_OPEN = frozenset({"messages", "history", "turns"})
"""Fields under which an object shows what was put into it, of whatever kind."""
_FORMS = frozenset(
    {
        "to",
        "as",
        "render",
        "format",
        "dump",
        "dumps",
        "serialize",
        "export",
        "json",
        "dict",
        "str",
        "text",
        "getvalue",
    }
)
"""First words of methods that give all that an object holds in another form."""


def holding(graph: CallGraph, function: int, call: int, path: Path) -> Path | None:
    """Where a handle holds the text that its method was given; None when the method only makes something of it."""
    name = str(graph.program.op(function, call)[3])
    words = graph.models.stores
    if split(name)[0] in words.forms and graph.uses(function).get(call):
        return None  # `text = names.replace_names(text)`
    return put(HELD + ",".join(sorted(_deeds(words).nouns(name))), changed(path))


def is_held(path: Path) -> bool:
    """The path leads into a handle: whoever has the object has no text yet."""
    return any(field[0] == HELD for field in path)


def below(graph: CallGraph, fact: Fact, op: Op, name: str) -> Path | None:
    """What a method of a handle gives back of what the handle holds; None when it speaks of other records."""
    if fact.value != op[2] or fact.path[0][0] != HELD:
        return None  # who is given a handle may ask it, but that is not seen here
    deeds = _deeds(graph.models.stores)
    deed = deeds.of(name)
    kinds = frozenset(filter(None, fact.path[0][1:].split(",")))
    if deed is not None:
        gives = not deed.writes and (not deed.nouns or not kinds or bool(deed.nouns & kinds))
    else:
        forms = (split(name) or ("",))[0] in _FORMS
        nouns = deeds.nouns(name) if forms else deeds.named(name)
        gives = bool(nouns & kinds) or (forms and not nouns)
    return fact.path[1:] if gives else None


def shown(words: StoreWords, path: Path, field: str) -> Path | None:
    """What a field of a handle shows of what the handle holds."""
    nouns = _deeds(words).named(field)
    kinds = path[0][1:].split(",")
    return path[1:] if not nouns or field in _OPEN or not nouns.isdisjoint(kinds) else None


def passes(graph: CallGraph, function: int, fact: Fact, op: Op) -> bool:
    """The call puts nothing in its receiver: it gets a handle, or runs a statement that is not in sight.

    Whoever passes a statement on says what becomes of the values behind it.
    """
    behind = len(op[4]) + len(op[5]) > 1 and op[4][:1] != (fact.value,)
    return is_held(fact.path) or (behind and is_run(graph, function, op))


def is_run(graph: CallGraph, function: int, op: Op) -> bool:
    """The call runs a statement: it is called so, on something that is called after a store."""
    if op[3] not in _RUNS or op[2] < 0:
        return False
    words = split(spelled(graph, function, op[2]).rpartition(".")[2])
    return op[3] != "execute" or words[-1:] == () or words[-1] in graph.models.stores.objects


@lru_cache(maxsize=4)
def _deeds(words: StoreWords) -> Deeds:
    return Deeds(words)
