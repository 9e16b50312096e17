"""Variables during the lowering: which value does a name have here?

scope = Scope(None)                      scope.values = {"summary": 3}
head = Scope(scope, loop=1)              a read inside the loop makes a LOOP value at the head, once
body = Scope(head)                       assignments of a branch or a body stay in their own scope ...
changes(body, head)                      ... and are merged where control flow meets: {"summary": 7}
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ctxlint.ir.module import Condition


class Scope:
    """The names assigned since control flow last split. `dead` when control cannot reach the end of it.

    `given` is what holds about switches here (`ctxlint.ir.switches`), `reached` what has to hold about options for
    the calls here to be reached (`ctxlint.ir.reached`).
    """

    __slots__ = ("dead", "given", "loop", "parent", "reached", "values")

    def __init__(self, parent: Scope | None, *, loop: int = 0) -> None:
        self.parent = parent
        self.loop = loop
        self.values: dict[str, int] = {}
        self.dead = False
        self.given: tuple[Condition, ...] = ()
        self.reached: tuple[Condition, ...] = ()


class LoopFrame:
    """What a loop under construction has to know: its head and the ways back to it and out of it."""

    __slots__ = ("backs", "breaks", "head", "number", "start")

    def __init__(self, number: int, head: Scope, start: int) -> None:
        self.number = number
        self.head = head
        self.start = start
        self.backs: list[dict[str, int]] = []
        self.breaks: list[dict[str, int]] = []


class FinalFrame:
    """What a `finally` under construction has to know: the ways that lead into it and on to somewhere else."""

    __slots__ = ("base", "catching", "depth", "ways")

    def __init__(self, base: Scope, depth: int, *, catching: bool) -> None:
        self.base = base
        self.depth = depth
        self.catching = catching
        self.ways: list[dict[str, int]] = []


def changes(scope: Scope, above: Scope) -> dict[str, int]:
    """What was assigned between `above` (exclusive) and `scope`, by name."""
    layers: list[dict[str, int]] = []
    current: Scope | None = scope
    while current is not None and current is not above:
        layers.append(current.values)
        current = current.parent
    result: dict[str, int] = {}
    for layer in reversed(layers):
        result.update(layer)
    return result


def all_names(layers: Iterable[dict[str, int]]) -> list[str]:
    """The names of several layers, each once, in the order of their first assignment."""
    names: dict[str, int] = {}
    for layer in layers:
        names.update(layer)
    return list(names)
