"""History processors: functions that nobody here calls, which get messages and give them back with a summary in.

    async def compact(self, messages):
        head, tail = messages[:-5], messages[-5:]
        return [Note(await self.summarize(head)), *tail]

Whoever calls it (a framework, which keeps the list) passes in the next time what it got back this time.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxlint.ir.ops import ATTR, BUILD, CALL, CONCAT, CONST, ELEMENT, FILTER, IN_LIST, ITEM, PARAM, SLICE
from ctxlint.taint.facts import Fact, Path
from ctxlint.taint.names import split
from ctxlint.taint.objects import sources
from ctxlint.taint.regions import Seed
from ctxlint.taint.selves import has_self
from ctxlint.taint.visitors import ANEW

if TYPE_CHECKING:
    from ctxlint.ir import FunctionIR, Parameter
    from ctxlint.taint.engine import Engine

_LISTS = frozenset({"list", "List", "Sequence", "typing.List", "t.List"})
_TABLES = frozenset({"dict", "Dict", "Mapping", "MutableMapping", "typing.Dict", "t.Dict"})
_DOCUMENTS = frozenset({"chunks", "docs", "documents", "elements", "files", "nodes", "pages", "rows", "sections"})
"""Last words of what goes through a pipeline once: nobody keeps it as a history."""
_EARLIER = frozenset(
    {
        "accumulated",
        "current",
        "earlier",
        "existing",
        "last",
        "old",
        "past",
        "prev",
        "previous",
        "prior",
        "rolling",
        "running",
    }
)
"""A parameter with one of these words in its name gets what was there before."""
_TEXTS = frozenset({"str", "None", "Optional", "Any", "Union"})
_LOOKS = frozenset({"copy", "dict", "get", "items", "keys", "model_dump", "pop", "setdefault", "values"})
_MAX_DEPTH = 4
_MAX_VALUES = 200


def comes_back(engine: Engine, seed: Seed, fact: Fact, path: Path) -> None:
    """Let derived text that an uncalled function returns come back in what it gets."""
    _as_earlier(engine, seed, fact, path)
    _as_state(engine, seed, fact, path)
    _as_list(engine, seed, fact, path)


def _as_earlier(engine: Engine, seed: Seed, fact: Fact, path: Path) -> None:
    """`def fold(self, existing_summary, turns)` says that it gets what it returned before."""
    given = engine.earlier.get(seed.function)
    if given is None:
        owner = engine.program.functions[seed.function]
        given = engine.earlier[seed.function] = tuple(
            index for index, parameter in enumerate(owner.parameters) if _is_earlier(engine, parameter)
        )
    for index in given if not engine.graph.callers(seed.function) else ():
        name = engine.program.functions[seed.function].parameters[index].name
        if not path or split(path[-1])[-1:] == split(name)[-1:]:
            entry = Seed(seed.function, index + 1, (), fact.mark, later=True)
            engine.connect(seed, fact, entry, "assigned", carrier=name)


def _is_earlier(engine: Engine, parameter: Parameter) -> bool:
    """The parameter is named as a text that was there before: `existing_summary`, `previous_memory`."""
    words = split(parameter.name)
    named = bool(_EARLIER.intersection(words)) and words[-1:] and words[-1] in engine.graph.models.words.kept_nouns
    return bool(named) and _TEXTS.issuperset(parameter.annotation.split())


def _as_state(engine: Engine, seed: Seed, fact: Fact, path: Path) -> None:
    """`return {"context": {**context, "summary": text}}`: a node of a graph finds it there in what it gets."""
    if not path or not path[0].isidentifier() or engine.graph.callers(seed.function):
        return
    owner = engine.program.functions[seed.function]
    models = engine.graph.models
    words = frozenset(word for field in path for word in split(field))
    if not words & (models.words.around | models.flow.session_fields):
        return
    for index, parameter in enumerate(owner.parameters):
        mine = index == 0 and owner.class_index >= 0
        if mine:
            continue
        table = not parameter.kind and ANEW.isdisjoint(split(parameter.name)) and _is_table(owner, index + 1)
        if table and _reads(engine, seed.function, index + 1, path[0]):
            entry = Seed(seed.function, index + 1, path, fact.mark, later=True)
            engine.connect(seed, fact, entry, "assigned", carrier=parameter.name)
        return


def _reads(engine: Engine, function: int, parameter: int, key: str, depth: int = 0) -> bool:
    """The function takes the key out of what it gets, or a function that it hands it to does."""
    ops = engine.program.functions[function].ops
    pending, seen = [parameter], {parameter}
    while pending:
        value = pending.pop()
        for user in engine.uses(function).get(value, ()):
            op = ops[user]
            named = ops[op[4][0]] if op[0] == CALL and op[2] == value and op[4] else ()
            if (op[0] in {ATTR, ITEM} and op[2] == key) or named == (CONST, key):
                return True
            if user not in seen and value in sources(op):
                seen.add(user)
                pending.append(user)
            for target, links in engine.graph.links(function, user) if op[0] == CALL and depth < _MAX_DEPTH else ():
                for link in links:
                    inner = link.value == value and not link.put and not link.taken
                    if inner and _reads(engine, target.function, link.parameter + 1, key, depth + 1):
                        return True
    return False


def _is_table(owner: FunctionIR, parameter: int) -> bool:
    """Nothing is asked of the parameter but what it holds."""
    return all(op[3] in _LOOKS for op in owner.ops if op[0] == CALL and op[2] == parameter)


def _as_list(engine: Engine, seed: Seed, fact: Fact, path: Path) -> None:
    """What is in the list that is returned is in the list that the function gets the next time."""
    owner = engine.program.functions[seed.function]
    if not path and _is_a(owner.annotation, _LISTS):
        path = (IN_LIST,)
    if _is_a(owner.annotation, _TABLES):
        return  # some value of a table: `return {**request, key: answer}`
    if path[:1] != (IN_LIST,) or engine.graph.callers(seed.function):
        return
    for parameter in _kept(engine, seed.function, fact.value, 0):
        index: int = engine.program.op(seed.function, parameter)[1]
        name = owner.parameters[index].name
        if _is_a(owner.parameters[index].annotation, _TABLES):
            continue
        if _DOCUMENTS.intersection(split(name)[-1:]) or not ANEW.isdisjoint(split(name)):
            continue
        entry = Seed(seed.function, parameter, path, fact.mark, later=True)
        engine.connect(seed, fact, entry, "assigned", carrier=name)


def _is_a(annotation: str, kinds: frozenset[str]) -> bool:
    """What is declared is such a collection: of a list, what is derived as a whole is all that is in it."""
    return not kinds.isdisjoint(annotation.split()[:1])


def _kept(engine: Engine, function: int, value: int, depth: int) -> tuple[int, ...]:
    """The parameters that the elements of a list come from."""
    key = (function, value, depth)
    known = engine.lists.get(key)
    if known is None:
        known = engine.lists[key] = tuple(_find_kept(engine, function, value, depth))
    return known


def _find_kept(engine: Engine, function: int, value: int, depth: int) -> list[int]:
    found: dict[int, None] = {}
    pending, seen = [value], {value}
    owner = engine.program.functions[function]
    while pending and len(seen) < _MAX_VALUES:
        current = pending.pop(0)
        op = owner.ops[current]
        more: tuple[int, ...] = sources(op)
        if op[0] == PARAM and (op[1] > 0 or not has_self(owner)):
            found[current] = None
        elif op[0] in {SLICE, ELEMENT, FILTER}:
            more = (op[1],)
        elif op[0] == CONCAT:
            more = tuple(op[1])
        elif op[0] == BUILD:
            more = tuple(held for name, held, *_ in op[1] if name in {"", IN_LIST} or name.isdigit())
        elif op[0] == ITEM and owner.ops[op[1]][0] == BUILD:
            more = tuple(held for name, held, *_ in owner.ops[op[1]][1] if name == str(op[2]))
        elif op[0] == CALL:
            more = _through(engine, function, current, depth)
        pending.extend(held for held in more if held not in seen)
        seen.update(more)
    return list(found)


def _through(engine: Engine, function: int, call: int, depth: int) -> tuple[int, ...]:
    """The arguments whose elements a call gives back."""
    op = engine.program.op(function, call)
    targets = engine.graph.targets(function, call)
    if not targets:
        keeps = engine.graph.name(function, call) in engine.graph.models.flow.keep
        return (*(value for value in op[1:3] if value >= 0), *op[4]) if keeps else ()
    given: dict[int, None] = {}
    for target in targets if depth < _MAX_DEPTH else ():
        owner = engine.program.functions[target.function]
        kept = {
            owner.ops[parameter][1]
            for returned in owner.returns
            for parameter in _kept(engine, target.function, returned, depth + 1)
        }
        given.update(
            (value, None) for value, position in engine.graph.passes(function, call, target) if position in kept
        )
    return tuple(given)
