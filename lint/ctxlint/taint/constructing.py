"""Fields that are set without an assignment: by a written constructor, or by name.

super().__init__(text)                            the base is a record (pydantic, attrs): its first field
super().__init__(fields)                          the base is a dict or a list: what is in `fields`
self.__attrs_init__(role="user", content=text)    the field `content` of this object
setattr(self, key, text)                          some field of this object
self.__dict__.update(fields)                      the fields of `fields`
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxlint.ir.ops import ANY, ATTR, CALL, IN_LIST, PARAM, Op
from ctxlint.taint.facts import Fact, Path, put
from ctxlint.taint.regions import Exit, Seed
from ctxlint.taint.selves import is_own, origin
from ctxlint.taint.target import Target

if TYPE_CHECKING:
    from ctxlint.taint.engine import Engine

_WRITTEN = frozenset({"__init__", "__attrs_init__"})
_CONTAINERS = frozenset({"dict", "list", "OrderedDict", "defaultdict", "UserDict", "UserList", "deque"})
_SET = 2
"""The place of the value in `setattr(object, name, value)`."""


def sets_fields(engine: Engine, seed: Seed, fact: Fact, call: int) -> bool:
    """An unresolved call that sets fields of an object: whether it is one."""
    op = engine.program.op(seed.function, call)
    name = engine.graph.name(seed.function, call)
    if name in _WRITTEN and op[2] >= 0:
        return _constructor(engine, seed, fact, op)
    if name in {"setattr", "__setattr__"} and op[4][_SET:] == (fact.value,):
        _change(engine, seed, fact, op[4][0], put(ANY, fact.path))
        return True
    if name == "update" and op[2] >= 0 and fact.value in op[4]:
        holder = engine.program.op(seed.function, op[2])
        if holder[0] == ATTR and holder[2] == "__dict__":
            _change(engine, seed, fact, holder[1], fact.path or (ANY,))
            return True
    return False


def _constructor(engine: Engine, seed: Seed, fact: Fact, op: Op) -> bool:
    owner = engine.program.functions[seed.function]
    receiver = owner.ops[origin(owner.ops, op[2])]
    above = receiver[0] == CALL and engine.graph.name(seed.function, origin(owner.ops, op[2])) == "super"
    if not owner.parameters or not (above or is_own(owner, op[2])):
        return False
    kind = engine.program.class_of(seed.function)
    fields = engine.graph.fieldings.positional(kind) if kind >= 0 else ()
    own = next((value for value, known in enumerate(owner.ops) if known[:2] == (PARAM, 0)), -1)
    if own < 0:
        return False
    if not above:
        for name, value in op[5]:
            if value == fact.value and name != "*":
                _change(engine, seed, fact, own, fact.path or (ANY,) if name == "**" else put(name, fact.path))
    if fact.value in op[4][:1] and _is_container(engine, kind):
        _change(engine, seed, fact, own, fact.path or (IN_LIST,))
    for field, value in zip(fields, op[4], strict=False):
        if value == fact.value:
            _change(engine, seed, fact, own, put(field, fact.path))
    return not above or fact.value in op[4]


def _is_container(engine: Engine, kind: int) -> bool:
    """Objects of the class are dicts or lists: they hold what is in what they are made of."""
    program = engine.program
    family = program.ancestors(kind) if kind >= 0 else ()
    return any(base.rpartition(".")[2] in _CONTAINERS for other in family for base in program.classes[other].bases)


def _change(engine: Engine, seed: Seed, fact: Fact, base: int, path: Path) -> None:
    engine.changed(seed, fact, Fact(base, path, fact.mark, fact.round))


def given_as(engine: Engine, passage: tuple[Seed, Fact, int], target: Target, out: Exit) -> Exit:
    """`Event(summary=text)` with a constructor that sets what it is given by name: the text is in `summary`."""
    if target.made < 0 or out.parameter != 0 or out.path[:1] != (ANY,):
        return out
    seed, fact, call = passage
    for link in engine.graph.passed(seed.function, call, target):
        if link.value == fact.value and link.put.isidentifier():
            return out._replace(path=(link.put, *out.path[1:]))
    return out
