r"""A text in pieces as one text.

"Here are notes:" + notes + "\n" + RULES                  Here are notes:<hole>(the text of RULES)
"\n".join(["Be short.", f"Fold {new} into {old}."])       Be short.\nFold <hole> into <hole>.
Template("Fold $new").substitute(new=new)                 Fold $new
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple, Protocol

from ctxlint.ir.ops import ATTR, BUILD, CALL, CAPTURE, CONCAT, CONST, EXIT, FORMAT, IMPORT, LOOP, NAME, PHI, Op
from ctxlint.taint.program import Program
from ctxlint.taint.sentences import HOLE

TEXTS = frozenset({CONST, FORMAT, CONCAT})
_DEEP = 24
_MOST = 2_000
"""Pieces of one text: a text that is made of itself, twice, and that again, would have millions."""
_FILLS = frozenset(
    [
        "format",
        "format_map",
        "render",
        "substitute",
        "safe_substitute",
        "replace",
        "strip",
        "lstrip",
        "rstrip",
        "format_prompt",
    ]
)
"""Methods that give the text of their receiver, filled in."""
_WRAPS = frozenset(["dedent", "cleandoc", "str", "Template", "from_template", "from_string", "indent"])
"""Functions that give the text of their first argument."""


class Point(NamedTuple):
    """Function, value, hops through functions so far."""

    function: int
    value: int
    hops: int

    def at(self, value: int) -> Point:
        """Another value of the same function."""
        return Point(self.function, value, self.hops)


class StepBack(NamedTuple):
    """What one step backward finds, and where it leads."""

    texts: dict[str, None]
    names: dict[str, None]
    places: tuple[tuple[int, int], ...]


class Search(Protocol):
    """What joining needs to know of the walk that it is part of."""

    program: Program
    seen: set[tuple[int, int]]
    texts: dict[tuple[int, int], str]
    """The texts of values that are one of several."""

    def closed(self, point: Point) -> bool:
        """The value is what a model answered."""
        ...

    def before(self, point: Point) -> list[Point]:
        """Where a value that is no text itself comes from."""
        ...


@dataclass(slots=True)
class Joined:
    """The text, the constants in it, and what stands in its holes."""

    text: str = ""
    constants: list[str] = field(default_factory=list[str])
    rest: list[Point] = field(default_factory=list[Point])
    pieces: int = 0

    def words(self) -> bool:
        """There is more than holes."""
        return any(character.isalpha() for character in self.text)

    def hole(self, point: Point) -> None:
        """Something that is not known stands here."""
        self.text += HOLE
        self.rest.append(point)


def joins(program: Program, function: int, op: Op) -> bool:
    """The value is a text, whole or in pieces."""
    if op[0] == CALL:
        return _filled(program, function, op) >= 0 or _lines(program, function, op) >= 0
    return op[0] in TEXTS


def joined(search: Search, point: Point, into: Joined, depth: int = 0) -> None:
    """Add the text of a value; the walk need not look at its pieces again."""
    op = search.program.op(point.function, point.value)
    if op[0] == CONST:
        if isinstance(op[1], str):
            into.text += op[1]
            into.constants.append(op[1])
        return
    if depth > _DEEP or (depth and search.closed(point)):
        if not search.closed(point):
            into.hole(point)
        else:
            into.text += HOLE
        return
    if op[0] in {FORMAT, CONCAT}:
        _pieces(search, point, tuple(op[1]), into, depth)
    elif op[0] == CALL and _lines(search.program, point.function, op) >= 0:
        _join(search, point, op, into, depth)
    elif op[0] == CALL and _filled(search.program, point.function, op) >= 0:
        text = _filled(search.program, point.function, op)
        _pieces(search, point, (text,), into, depth)
        others = (*op[4], *(value for _, value in op[5]))
        into.rest.extend(point.at(value) for value in others if value != text)
    elif op[0] in {NAME, IMPORT, CAPTURE, ATTR}:
        _elsewhere(search, point, into, depth)
    elif op[0] in {PHI, EXIT, LOOP}:
        _longest(search, point, (op[1],) if op[0] == LOOP else tuple(op[1]), into, depth)
    else:
        into.hole(point)


def _pieces(search: Search, point: Point, values: tuple[int, ...], into: Joined, depth: int) -> None:
    for value in values:
        into.pieces += 1
        if into.pieces > _MOST:
            return
        piece = point.at(value)
        search.seen.add(piece[:2])
        joined(search, piece, into, depth + 1)
        if into.rest and into.rest[-1] == piece:
            search.seen.discard(piece[:2])


def _join(search: Search, point: Point, op: Op, into: Joined, depth: int) -> None:
    parts = search.program.op(point.function, _lines(search.program, point.function, op))
    separator = str(search.program.op(point.function, op[2])[1])
    for index, (_, value) in enumerate(parts[1]):
        into.text += separator if index else ""
        _pieces(search, point, (value,), into, depth)


def _elsewhere(search: Search, point: Point, into: Joined, depth: int) -> None:
    held = search.before(point)
    if len(held) == 1 and joins_or_leads(search.program, held[0]):
        search.seen.add(held[0][:2])
        joined(search, held[0], into, depth + 1)
    else:
        into.text += HOLE
        into.rest.extend(held)


def joins_or_leads(program: Program, point: Point) -> bool:
    """The value is a text, or a name that may lead to one."""
    op = program.op(point.function, point.value)
    return joins(program, point.function, op) or op[0] in {NAME, IMPORT, CAPTURE, ATTR, PHI}


def _longest(search: Search, point: Point, values: tuple[int, ...], into: Joined, depth: int) -> None:
    """One of several texts: the longest, for it says most."""
    found: list[str] = []
    for value in values:
        key = (point.function, value)
        text = search.texts.get(key)
        if text is None:  # joins behind joins: each would be told once for each way to it
            choice = Joined()
            _pieces(search, point, (value,), choice, depth)
            text = search.texts[key] = choice.text
            into.rest.extend(choice.rest)
            into.constants.extend(choice.constants)
        found.append(text)
    into.text += max(found, key=len, default="")


def _filled(program: Program, function: int, op: Op) -> int:
    """The value whose text a call fills in or cleans up, -1 when it is no such call."""
    if op[3] in _FILLS and op[2] >= 0:
        return int(op[2])
    name = op[3]
    if op[1] >= 0:
        callee = program.op(function, op[1])
        name = callee[1] if callee[0] == NAME else callee[2] if callee[0] == IMPORT else ""
    return int(op[4][0]) if name in _WRAPS and op[4] else -1


def _lines(program: Program, function: int, op: Op) -> int:
    """The display whose texts a call of `join` puts together, -1 when it is no such call."""
    if op[3] != "join" or op[2] < 0 or len(op[4]) != 1 or program.op(function, op[2])[0] != CONST:
        return -1
    return int(op[4][0]) if program.op(function, op[4][0])[0] == BUILD else -1
