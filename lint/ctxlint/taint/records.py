"""The shape of what a store gives back: one record, a list of them, a list of pairs of record and score.

def get_session(self, key) -> Session | None           summary of a session: path ("summary",)
def list_sessions(self) -> list[Session]                path ("[]", "summary")
def search(self, text) -> list[tuple[Note, float]]      path ("[]", "0", "text")
rows = collection.query(...)                            nobody knows: alone, in a list
"""

from __future__ import annotations

from ctxlint.ir.ops import ANY, IN_LIST
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.facts import Path, put

_LISTS = frozenset({"list", "List", "Sequence", "Iterable", "Iterator", "Generator", "Collection", "set", "Set"}) | {
    "AsyncIterator",
    "AsyncIterable",
    "AsyncGenerator",
    "deque",
    "frozenset",
}
_TUPLES = frozenset({"tuple", "Tuple"})
_DICTS = frozenset({"dict", "Dict", "Mapping", "defaultdict", "OrderedDict"})
_THROUGH = frozenset({"Optional", "Union", "None", "Awaitable", "Coroutine", "Any", "Annotated"})


def record_path(path: Path) -> Path:
    """The path inside of one record, without the collection that it was written in."""
    while path and (path[0] in {IN_LIST, ANY} or path[0].isdigit()):
        path = path[1:]
    return path


def given_back(graph: CallGraph, function: int, call: int, path: Path) -> list[Path]:
    """Where derived text is in what a reading call gives back."""
    if not path:
        return [()]
    for words in _declared(graph, function, call):
        shape = _shape(words)
        if shape is None:
            continue
        for holder in reversed(shape):
            path = put(holder, path)
        return [path]
    return [path, put(IN_LIST, path)]


def _declared(graph: CallGraph, function: int, call: int) -> list[list[str]]:
    """What the functions that a call may run are declared to return."""
    program = graph.program
    op = program.op(function, call)
    found = [target.function for target in graph.targets(function, call)]
    kinds = graph.values.types(function, op[2]) if op[2] >= 0 else ()
    found.extend(program.method(kind.target, op[3]) for kind in kinds if isinstance(kind.target, int))
    texts = [program.functions[target].annotation for target in found if target >= 0]
    return [[word.rpartition(".")[2] for word in _words(text)] for text in dict.fromkeys(texts) if text]


def _words(annotation: str) -> list[str]:
    """The names of an annotation in order, also of one that stands in quotes."""
    return "".join(letter if letter.isalnum() or letter in "._" else " " for letter in annotation).split()


def _shape(words: list[str]) -> list[str] | None:
    """The holders around the first record that an annotation names, None when it names none."""
    holders: list[str] = []
    in_dict = False
    for word in words:
        if word in _THROUGH:
            continue
        if word in _LISTS:
            holders.append(IN_LIST)
        elif word in _TUPLES:
            holders.append("0")
        elif word in _DICTS:
            if in_dict or len(words) - words.index(word) <= 3:
                return None  # the record itself may be a dict
            in_dict = True
            holders.append(ANY)
        elif in_dict and word in {"str", "int"}:
            in_dict = False
        else:
            return holders if word not in {"str", "int", "bytes", "object", "T"} else None
    return None
