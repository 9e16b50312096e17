"""Which values are the same object, and which methods are read as fields."""

from __future__ import annotations

from ctxlint.ir.ops import DELETE, EXIT, FILTER, LOOP, OUT, PHI, SET_ATTR, SET_ITEM, TEST, Op

_SAME = frozenset({OUT, FILTER, SET_ATTR, SET_ITEM, DELETE})


def sources(op: Op) -> tuple[int, ...]:
    """The values that a value is the same object as, as far as its operation shows."""
    kind = op[0]
    if kind in {PHI, EXIT}:
        return tuple(op[1])
    if kind == LOOP:
        return (op[1], *op[3])
    if kind in _SAME:
        return (op[1],)
    if kind == TEST and len(op[2]) == 1:
        return (op[2][0],)  # `return self.config.model` says that there is one, and gives it
    return ()


def behind(ops: tuple[Op, ...], value: int) -> int:
    """The first value of a chain of changes to one object: a list that is added to a thousand times is one list."""
    op = ops[value]
    while op[0] in _SAME:
        value = op[1]
        op = ops[value]
    return value


def is_property(decorators: tuple[str, ...]) -> bool:
    """A method with these decorators is read as an attribute."""
    return any(name.rpartition(".")[2] in {"property", "cached_property"} for name in decorators)
