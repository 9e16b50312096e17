"""Files: text that one call writes to a path comes back from a call that reads the same path.

    Path(self.folder, "notes.md").write_text(memo)          written
    memo = open(os.path.join(self.folder, "notes.md")).read()   read, in a later round

What opens a file for reading stands for all that is read from it. A function that opens a path it is given is as good
as `open` where it is called.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from ctxlint.ir.ops import CALL, CONST, OUT, Op
from ctxlint.taint.deeds import Deeds
from ctxlint.taint.objects import sources
from ctxlint.taint.paths import FilePath, path_of, same_file

if TYPE_CHECKING:
    from ctxlint.taint.callgraph import CallGraph

_OPENERS = frozenset({"open", "fdopen"})
_WRITES_PATH = frozenset({"write_text", "write_bytes", "awrite_text"})
_READS_PATH = frozenset({"read_text", "read_bytes", "aread_text"})
_WRITES_FILE = frozenset({"write", "writelines"})
_DUMPS = frozenset({"dump", "safe_dump"})
_MAX_LIFTS = 40
_MODE = 3


class Opened(NamedTuple):
    """A value that holds what stands in a file."""

    function: int
    value: int
    path: FilePath


class Files:
    """Finds what reads the files that a call writes."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self.deeds = Deeds(graph.models.stores)
        self._readers: list[Opened] | None = None
        self._written: dict[tuple[int, int], tuple[int, FilePath] | None] = {}
        self._writers: dict[int, tuple[int, ...]] = {}

    def written(self, function: int, call: int, value: int, *, free: bool) -> FilePath | None:
        """The path of the file that a call writes one of its values to; None when it writes none.

        Args:
            function: whose call it is.
            call: the call.
            value: what may be written.
            free: the value did not come in through a parameter. If it did, and the path too, whoever calls the
                function knows the file.
        """
        op = self.graph.program.op(function, call)
        if op[0] != CALL or value == op[2]:
            return None
        known = self.writes(function, call)
        if known is None or value == known[0]:
            return None
        return known[1] if free or not known[1].parameters() else None

    def writes(self, function: int, call: int) -> tuple[int, FilePath] | None:
        """The value that is the path of the file which a call writes to, and what is known of the path."""
        key = (function, call)
        if key not in self._written:
            path = self._path_written(function, call)
            self._written[key] = None if path is None else (path, path_of(self.graph, function, path))
        return self._written[key]

    def _path_written(self, function: int, call: int) -> int | None:
        """The value that is the path of the file which a call writes to."""
        op = self.graph.program.op(function, call)
        name = self.graph.name(function, call)
        receiver: int = op[2]
        if receiver >= 0 and name in _WRITES_PATH:
            return receiver
        if receiver >= 0 and name in _WRITES_FILE:
            return self._opened(function, receiver)
        if name in _DUMPS:
            streams = [*op[4][1:2], *(held for keyword, held in op[5] if keyword in {"fp", "stream", "file"})]
            for stream in streams:
                found = self._opened(function, stream)
                if found is not None:
                    return found
        return self._lifted(function, call)

    def _lifted(self, function: int, call: int) -> int | None:
        """The argument that becomes the path in a function that writes to a path it is given."""
        for target in self.graph.targets(function, call):
            indexes = self._path_parameters(target.function)
            for value, position in self.graph.passes(function, call, target) if indexes else ():
                if position in indexes:
                    return value
        return None

    def _path_parameters(self, function: int) -> tuple[int, ...]:
        """The parameters that a function writes files at."""
        known = self._writers.get(function)
        if known is None:
            self._writers[function] = ()
            owner = self.graph.program.functions[function]
            does = self.deeds.of(owner.name)
            found: dict[int, None] = {}
            for call, op in enumerate(owner.ops) if does is not None and does.writes else ():
                if op[0] == CALL and self.graph.name(function, call) in _WRITES_FILE | _WRITES_PATH | _DUMPS:
                    path = self._path_written(function, call)
                    made = path_of(self.graph, function, path).parameters() if path is not None else []
                    found.update(dict.fromkeys(i for i, p in enumerate(owner.parameters) if p.name in made))
            known = self._writers[function] = tuple(found)
        return known

    def grows(self, function: int, call: int) -> bool:
        """The call appends to what already stands in the file, such as one more line of JSON."""
        op = self.graph.program.op(function, call)
        opener = self._opener(function, op[2]) if op[0] == CALL and op[2] >= 0 else None
        return opener is not None and _mode(self.graph, function, self.graph.program.op(function, opener)) == "a"

    def is_file(self, function: int, value: int) -> bool:
        """The value is an open file."""
        return self._opener(function, value) is not None

    def _opened(self, function: int, value: int) -> int | None:
        """The path that the call which opened a file got."""
        opener = self._opener(function, value)
        return (
            None if opener is None else _path_argument(self.graph, function, self.graph.program.op(function, opener))
        )

    def _opener(self, function: int, value: int) -> int | None:
        program = self.graph.program
        pending = [value]
        seen: set[int] = set()
        while pending:
            current = pending.pop()
            if current in seen:
                continue
            seen.add(current)
            op = program.op(function, current)
            if op[0] == CALL and self.graph.name(function, current) in _OPENERS:
                return current
            pending.extend((op[1],) if op[0] == OUT else sources(op))
        return None

    # -- readers ---------------------------------------------------------------------------------------------

    def readers(self, path: FilePath) -> Iterator[Opened]:
        """What holds the text of the file at a path, in the order of the files."""
        if self._readers is None:
            self._readers = sorted(self._all_readers(), key=lambda opened: opened[:2])
        for opened in self._readers:
            if same_file(self.graph, self.deeds, path, opened.path):
                yield opened

    def _all_readers(self) -> Iterator[Opened]:
        program = self.graph.program
        for first, module in zip(program.first_function, program.modules, strict=True):
            for name in (*sorted(_OPENERS), *sorted(_READS_PATH)):
                for local, call in module.calls.get(name, ()):
                    yield from self._reader(first + local, call, name)

    def _reader(self, function: int, call: int, name: str) -> Iterator[Opened]:
        op = self.graph.program.op(function, call)
        if name in _OPENERS and _mode(self.graph, function, op) != "r":
            return
        value = op[2] if name in _READS_PATH else _path_argument(self.graph, function, op)
        if value is None or value < 0:
            return
        path = path_of(self.graph, function, value)
        yield Opened(function, call, path)
        parameters = path.parameters()
        owner = self.graph.program.functions[function]
        if not parameters or not (owner.returns or owner.yields):
            return
        for caller, outer in self.graph.callers(function)[:_MAX_LIFTS]:
            for index, parameter in enumerate(owner.parameters):
                if parameter.name in parameters:
                    for value in self.graph.arguments(caller, outer, function, index):
                        yield Opened(caller, outer, path_of(self.graph, caller, value))


def _path_argument(graph: CallGraph, function: int, op: Op) -> int | None:
    """`open(path)`, `path.open()`, `aiofiles.open(path)`."""
    args: tuple[int, ...] = op[4]
    receiver: int = op[2]
    if receiver >= 0 and (not args or _is_mode(graph, function, args[0])):
        return receiver
    return args[0] if args else None


def _is_mode(graph: CallGraph, function: int, value: int) -> bool:
    held = graph.program.op(function, value)
    return bool(held[0] == CONST and isinstance(held[1], str) and 0 < len(held[1]) <= _MODE and held[1][0] in "rwax")


def _mode(graph: CallGraph, function: int, op: Op) -> str:
    """The first letter of the mode in which a file is opened."""
    for value in [*op[4][:2], *(held for keyword, held in op[5] if keyword == "mode")]:
        if _is_mode(graph, function, value):
            return str(graph.program.op(function, value)[1])[0]
    return "r"
