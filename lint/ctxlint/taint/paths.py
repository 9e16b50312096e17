"""Paths of files as far as the code shows them: which parts of two path expressions are the same.

self.folder / "notes.md"                 base: field folder       name: notes.md
os.path.join(HOME, f"{day}.json")        base: global HOME        name: .json
self._path_for(key)                      base: what _path_for gives
def load(path): open(path)               base: the parameter path
"""

from __future__ import annotations

from typing import NamedTuple

from ctxlint.ir.ops import ATTR, BUILD, CALL, CAPTURE, CONCAT, CONST, ELEMENT, FORMAT, IMPORT, ITEM, NAME, PARAM, Op
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.deeds import Deeds
from ctxlint.taint.objects import sources
from ctxlint.taint.owners import class_around

_MAX_WALK = 60
_PARTS = frozenset({"parent", "stem", "name", "suffix"})

Place = tuple[int, int]

Base = tuple[str, int, str]
"""What a path starts from: its kind, the file or function that it belongs to (-1 for fields), its name."""


class FilePath(NamedTuple):
    """A path expression: the `names` that stand in it as constants, what it is based on, and whose code it is in."""

    names: tuple[str, ...]
    bases: frozenset[Base]
    function: int
    holder: int
    module: int

    @property
    def name(self) -> str:
        """The name of the file, or the end of one; "" when it is not known."""
        return self.names[-1].rpartition("/")[2].lstrip("*") if self.names else ""

    @property
    def folders(self) -> frozenset[str]:
        """The constant folders before it."""
        parts = [part for name in self.names for part in name.split("/")[:-1]]
        return frozenset(part for part in (*parts, *self.names[:-1]) if part and "." not in part)

    def parameters(self) -> list[str]:
        """The parameters that it is based on, when it is based on nothing else."""
        kinds = {kind for kind, _, _ in self.bases}
        return [name for _, _, name in sorted(self.bases)] if kinds == {"parameter"} else []

    def strangers(self, other: FilePath) -> bool:
        """Both are named by a parameter, and none by the same."""
        mine, theirs = ({name for kind, _, name in path.bases if kind == "parameter"} for path in (self, other))
        return bool(mine and theirs) and mine.isdisjoint(theirs)


def path_of(graph: CallGraph, function: int, value: int) -> FilePath:
    """What is known about a path."""
    names: list[str] = []
    bases: dict[Base, None] = {}
    pending = [(function, value)]
    seen: set[tuple[int, int]] = set()
    while pending and len(seen) < _MAX_WALK:
        place = pending.pop()
        if place not in seen:
            seen.add(place)
            pending.extend(reversed(_parts(graph, place, names, bases)))
    kind = class_around(graph, function)
    program = graph.program
    return FilePath(
        tuple(names),
        frozenset(bases),
        function,
        kind if kind >= 0 else -1 - function,
        program.module_of[function],
    )


def _parts(graph: CallGraph, place: Place, names: list[str], bases: dict[Base, None]) -> list[Place]:
    """Note what one value of a path expression adds to it; the values that it is made of."""
    function, value = place
    program = graph.program
    op = program.op(function, value)
    if op[0] == CONST and isinstance(op[1], str) and op[1].strip("/"):
        names.append(op[1])
    if op[0] == PARAM:
        bases["parameter", -1, op[2]] = None
    if op[0] == NAME:
        bases["global", program.module_of[function], op[1]] = None
        held = program.global_value(program.module_of[function], op[1])
        return [held] if held is not None and program.op(*held)[0] in {CONST, CONCAT, FORMAT, CALL} else []
    if op[0] == CAPTURE:
        holder = program.function_id(function, op[2])
        return [(holder, held) for held in program.functions[holder].variables.get(op[1], ())[:1]]
    if op[0] == ATTR and op[2] not in _PARTS:
        bases["field", -1, op[2]] = None
        return []
    if op[0] == CALL:
        return [(function, part) for part in _called(graph, function, value, bases)]
    return [(function, part) for part in _made_of(op)]


def _made_of(op: Op) -> tuple[int, ...]:
    if op[0] == BUILD:
        return tuple(held for _, held in op[1])
    if op[0] in {CONCAT, FORMAT}:
        return tuple(op[1])
    return (op[1],) if op[0] in {ITEM, ELEMENT, ATTR} else sources(op)


def _called(graph: CallGraph, function: int, call: int, bases: dict[Base, None]) -> tuple[int, ...]:
    op = graph.program.op(function, call)
    targets = graph.targets(function, call)
    for target in targets:
        bases["call", target.function, ""] = None
    if targets:
        # `self._path("notes")` and `self._path("turns")` are two files.
        return tuple(value for value in op[4] if graph.program.op(function, value)[0] == CONST)
    # In `os.path.join(a, b)` the module is no part of the path; in `folder.joinpath(a)` the receiver is.
    module = op[2] >= 0 and op[4] and _is_module(graph, function, op[2])
    return (*((op[2],) if op[2] >= 0 and not module else ()), *op[4])


def _is_module(graph: CallGraph, function: int, value: int) -> bool:
    """`os.path`, `os`: a name of the file, or a field of an imported module."""
    op = graph.program.op(function, value)
    if op[0] == ATTR and op[2] == "path":
        op = graph.program.op(function, op[1])
        return bool(op[0] == IMPORT or op[:2] == (NAME, "os"))
    return op[0] in {NAME, IMPORT}


def same_file(graph: CallGraph, deeds: Deeds, one: FilePath, other: FilePath) -> bool:
    """The two expressions may lead to one file, and something shows it."""
    return not _differ(one, other) and _shown(graph, deeds, one, other)


def _differ(one: FilePath, other: FilePath) -> bool:
    """Another name, another folder, or names that different parameters give."""
    if one.name and other.name:
        apart = one.name != other.name
    else:
        apart = not one.name and not other.name and one.strangers(other)
    return apart or bool(one.folders and other.folders and one.folders.isdisjoint(other.folders))


def _shown(graph: CallGraph, deeds: Deeds, one: FilePath, other: FilePath) -> bool:
    here = one.module == other.module
    if one.holder >= 0 and other.holder >= 0:
        here = graph.program.related(one.holder, other.holder) or (here and one.name == other.name != "")
    shared = {kind for kind, _, _ in one.bases & other.bases}
    if shared & {"global", "call"} or (here and "field" in shared):
        return True
    if here and set(one.parameters()) & set(other.parameters()):
        return _pair(graph, deeds, one.function, other.function)
    whole = one.name == other.name and not one.name.startswith(".") and "." in one.name
    return whole and (here or not (one.bases or other.bases))


def _pair(graph: CallGraph, deeds: Deeds, writer: int, reader: int) -> bool:
    """Two functions that get a path belong together by name: `save` and `load`, `write_notes` and `read_notes`."""
    one, other = (deeds.of(graph.program.functions[function].name) for function in (writer, reader))
    return one is not None and other is not None and one.writes != other.writes and one.fits(other)
