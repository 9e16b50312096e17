"""Classes in a table: which of them a key leads to, or each where the key is not known.

KINDS = {"keep": Keep, "fold": Fold}
self.strategy = KINDS[name]()               a Keep or a Fold
KINDS.get(name, Keep)(limit=8)              the same
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from ctxlint.ir.ops import ATTR, BUILD, NAME, Op

if TYPE_CHECKING:
    from ctxlint.taint.program import Ref
    from ctxlint.taint.values import Values

_MAX_CLASSES = 4
"""A table of more classes has one for every purpose: which of them is meant is not known."""


def classes_in(values: Values, function: int, table: int, key: object) -> Iterator[Ref]:
    """The classes that a table holds under a key; `key` None for any."""
    found: dict[Ref, None] = {}
    for holder, op in _tables(values, function, table):
        for name, held in op[1]:
            if name and (key is None or name == str(key)):
                found.update(dict.fromkeys(ref for ref in values.refs(holder, held) if ref.kind == "class"))
    yield from found if len(found) <= _MAX_CLASSES else ()


def _tables(values: Values, function: int, table: int) -> Iterator[tuple[int, Op]]:
    """The displays that a value is: of this function, of the module, of the class."""
    program = values.program
    for same in values.same(function, table):
        op = program.op(function, same)
        places = []
        if op[0] == BUILD:
            yield function, op
        elif op[0] == NAME:
            held = program.global_value(program.module_of[function], op[1])
            places = [held] if held is not None else []
        elif op[0] == ATTR:
            kinds = [kind.target for kind in values.types(function, op[1]) if isinstance(kind.target, int)]
            places = [place for kind in kinds[:1] for place in values.fields(kind, op[2], below=False)][:2]
        for holder, value in places:
            held_op = program.op(holder, value)
            if held_op[0] == BUILD:
                yield holder, held_op
