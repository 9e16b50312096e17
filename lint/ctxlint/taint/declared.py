"""What annotations say: the class of a value, of the elements of a collection, and what an alias stands for.

    Turns: TypeAlias = list[Turn]          alias
    def fold(self, notes: list[Note]):     elements(notes) -> Note
        for note in notes: note.text       ... so this reads a property of Note
    self.log: "Optional[Log]" = None       kinds -> Log

Words of an annotation stand outermost first (`ir.lower.annotation_text`).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ctxlint.ir.ops import CALL, CONCAT, ITEM, Op
from ctxlint.taint.program import Program, Ref

_WRAPPERS = frozenset(
    {
        "Optional",
        "Union",
        "Annotated",
        "ClassVar",
        "Final",
        "Required",
        "NotRequired",
        "type",
        "Type",
        "Awaitable",
        "Coroutine",
        "Any",
        "None",
        "typing",
    }
)
_PLAIN = frozenset({"bool", "str", "int", "float", "bytes"})
_SEQUENCES = frozenset(
    {
        "list",
        "List",
        "Sequence",
        "MutableSequence",
        "Iterable",
        "Iterator",
        "AsyncIterable",
        "AsyncIterator",
        "Generator",
        "AsyncGenerator",
        "Collection",
        "tuple",
        "Tuple",
        "deque",
        "Deque",
        "set",
        "Set",
        "frozenset",
    }
)
_MAX_ALIASES = 4


class Kind(NamedTuple):
    """The class of a value: an index for a linted class, else its dotted name. `declared` by an annotation only."""

    target: int | str
    declared: bool = False


class Declared:
    """Reads annotations."""

    def __init__(self, program: Program, refs: Callable[[int, int], tuple[Ref, ...]]) -> None:
        self.program = program
        self._refs = refs

    def kinds(self, module: int, text: str, depth: int = 0) -> Iterator[Kind]:
        """The class that an annotation names first; of a union with plain values, the class."""
        names = _names(text)
        while len(names) > 1 and names[0] in _PLAIN:
            names.pop(0)
        for name in names:
            ref = self.program.look_up(module, name)
            if ref is not None and ref.kind in {"class", "external"}:
                yield Kind(ref.target, declared=True)
            elif ref is None:
                meant = tuple(self._alias(module, name)) if depth < _MAX_ALIASES else ()
                yield from meant or (() if self._is_variable(module, name) else (Kind(name, declared=True),))
            return

    def element_kinds(self, module: int, text: str) -> Iterator[Kind]:
        """The class of the elements of what is annotated so."""
        names = _names(text)
        if len(names) > 1 and names[0].rpartition(".")[2] in _SEQUENCES:
            yield from self.kinds(module, " ".join(names[1:]))
            return
        for kind in tuple(self.kinds(module, text)):
            yield from self.iterated(kind)

    def iterated(self, kind: Kind) -> Iterator[Kind]:
        """What iterating over an object of a linted class gives, as its method declares it."""
        if not isinstance(kind.target, int):
            return
        for name in ("__iter__", "__aiter__"):
            method = self.program.method(kind.target, name)
            if method >= 0:
                text = self.program.functions[method].annotation
                names = _names(text)
                if len(names) > 1:
                    yield from self.kinds(self.program.module_of[method], " ".join(names[1:]))

    def _alias(self, module: int, name: str) -> Iterator[Kind]:
        """`Turn = UserTurn | AgentTurn`: the first class that it stands for, as in an annotation."""
        held = self.program.global_value(module, name)
        while held is not None:
            function, value = held
            bound = self._bound(function, value)
            found = [ref for ref in self._refs(function, value if bound is None else bound) if ref.kind == "class"]
            if found:
                yield Kind(found[0].target, declared=True)
                return
            held = _first(function, self.program.op(function, value))

    def _is_variable(self, module: int, name: str) -> bool:
        held = self.program.global_value(module, name)
        return held is not None and self._names_variable(*held)

    def _names_variable(self, function: int, value: int) -> bool:
        op = self.program.op(function, value)
        made = self._refs(function, op[1]) if op[0] == CALL and op[1] >= 0 else ()
        return any(str(ref.target).rpartition(".")[2] == "TypeVar" for ref in made)

    def _bound(self, function: int, value: int) -> int | None:
        """`Part = TypeVar("Part", bound=Base)`: the value that is its bound."""
        if not self._names_variable(function, value):
            return None
        return next((held for name, held in self.program.op(function, value)[5] if name == "bound"), None)


def _first(function: int, op: Op) -> tuple[int, int] | None:
    if op[0] == CONCAT and op[1]:
        return function, op[1][0]
    return (function, op[1]) if op[0] == ITEM and op[1] else None


def _names(text: str) -> list[str]:
    return [name for name in text.split() if name.rpartition(".")[2] not in _WRAPPERS]
