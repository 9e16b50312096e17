"""The shape of what a store gives back: one record, a list of them, a list of pairs of record and score.

def get_session(self, key) -> Session | None           summary of a session: path ("summary",)
def list_sessions(self) -> list[Session]                path ("[]", "summary")
def search(self, text) -> list[tuple[Note, float]]      path ("[]", "0", "text")
rows = collection.query(...)                            nobody knows: alone, in a list
"""

from __future__ import annotations

from collections.abc import Sequence

from ctxlint.ir.ops import ANY, ATTR, CALL, ELEMENT, IN_LIST, ITEM
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.facts import Path, put
from ctxlint.taint.objects import sources

_LISTS = frozenset({"list", "List", "Sequence", "Iterable", "Iterator", "Generator", "Collection", "set", "Set"}) | {
    "AsyncIterator",
    "AsyncIterable",
    "AsyncGenerator",
    "deque",
    "frozenset",
}
_CURSORS = ("Cursor", "CursorResult")
_FETCHES = frozenset({"fetchone", "fetchall", "fetchmany", "mappings", "get_next", "single"})
_TUPLES = frozenset({"tuple", "Tuple"})
_DICTS = frozenset({"dict", "Dict", "Mapping", "defaultdict", "OrderedDict"})
_THROUGH = frozenset({"Optional", "Union", "None", "Awaitable", "Coroutine", "Any", "Annotated"})
_SET = frozenset({"$set", "$setOnInsert", "$replaceWith"})
_ADDED = frozenset({"$push", "$addToSet"})
_PLAIN = frozenset({"str", "int", "float", "bool", "bytes", "object", "T"})


def record_path(path: Path) -> Path:
    """The path inside of one record, without the collection that it was written in."""
    while path and (path[0] in {IN_LIST, ANY} or path[0].isdigit()):
        path = path[1:]
    return changed(path)


def changed(path: Path) -> Path:
    """`{"$set": {"recap": text}}` changes the field `recap`, `{"$push": {"turns": turn}}` an element of `turns`."""
    if path[:1] and path[0] in _ADDED:
        inner = path[2:] if path[2:3] != ("$each",) else path[4:]
        return (*path[1:2], IN_LIST, *inner)
    return path[1:] if path[:1] and path[0] in _SET else path


def given_back(graph: CallGraph, function: int, call: int, path: Path, more: Sequence[int] = ()) -> list[Path]:
    """Where derived text is in what a reading call gives back.

    Args:
        graph: the program.
        function: whose call it is.
        call: the call.
        path: where the text is in one record.
        more: functions that the call may run, besides those that the program shows.
    """
    if not path:
        return [()]
    for words in _declared(graph, function, call, more):
        shape = _shape(words)
        if shape is not None:
            for holder in reversed(shape):
                path = put(holder, path)
            return [path]
    used = _used_as(graph, function, call)
    if path[0] != _VALUE and _VALUE in used:
        path = put(_VALUE, path)  # an item of a store: what was put in is its value
    used.discard(_VALUE)
    return [given for given, kind in ((path, _ONE), (put(IN_LIST, path), _MANY)) if kind in (used or {_ONE, _MANY})]


def gives_text(graph: CallGraph, function: int, call: int, more: Sequence[int]) -> bool:
    """A reading call is declared to give a text."""
    return any(
        "str" in words and _PLAIN.union(_THROUGH) >= set(words) for words in _declared(graph, function, call, more)
    )


_ONE, _MANY, _VALUE = "one", "many", "value"
_MAX_WALK = 30


def _used_as(graph: CallGraph, function: int, call: int) -> set[str]:
    """What is done with a result: its fields are read, or its elements are."""
    owner = graph.program.functions[function]
    known = {call}
    elements: set[int] = set()
    kinds: set[str] = set()
    for value in range(call + 1, len(owner.ops)):
        op = owner.ops[value]
        if known.intersection(sources(op)) and len(known) < _MAX_WALK:
            known.add(value)
        elif op[0] in {ATTR, ELEMENT} and op[1] in known:
            kinds.add(_ONE if op[0] == ATTR else _MANY)
            if op[0] == ELEMENT:
                elements.add(value)
            elif op[2] == _VALUE:
                kinds.add(_VALUE)
        elif op[0] == ATTR and op[2] == _VALUE and op[1] in elements:
            kinds.add(_VALUE)
        elif op[0] == ITEM and op[1] in known:
            kinds.add(_ONE if isinstance(op[2], str) else _MANY)
        elif op[0] == CALL and op[2] in known and op[3] in {"get", "model_dump", "to_dict", "items"}:
            kinds.add(_ONE)
        elif op[0] == CALL and op[2] in known and op[3] in _FETCHES:
            kinds.add(_MANY)
    return kinds


def _declared(graph: CallGraph, function: int, call: int, more: Sequence[int]) -> list[list[str]]:
    """What the functions that a call may run are declared to return."""
    program = graph.program
    op = program.op(function, call)
    found = [target.function for target in graph.targets(function, call)]
    kinds = graph.values.types(function, op[2]) if op[2] >= 0 else ()
    found.extend(program.method(kind.target, op[3]) for kind in kinds if isinstance(kind.target, int))
    found.extend(more)
    texts = [program.functions[target].annotation for target in found if target >= 0]
    owner = program.functions[function]
    if call in owner.returns:
        texts.append(owner.annotation)  # what is given on is declared here
    return [[word.rpartition(".")[2] for word in _words(text)] for text in dict.fromkeys(texts) if text]


def _words(annotation: str) -> list[str]:
    """The names of an annotation in order, also of one that stands in quotes."""
    return "".join(letter if letter.isalnum() or letter in "._" else " " for letter in annotation).split()


def _shape(words: list[str]) -> list[str] | None:
    """The holders around the first record that an annotation names, None when it names none."""
    holders: list[str] = []
    named = [word for word in words if word not in _THROUGH]
    for index, word in enumerate(named):
        if word in _LISTS or word.endswith(_CURSORS):
            holders.append(IN_LIST)
        elif word in _TUPLES:
            holders.append("0")
        elif word in _DICTS:
            held = named[index + 2 : index + 3]
            # A dict of plain values is the record itself; one of records holds them under their keys.
            if not held or held[0] in _PLAIN:
                return holders
            holders.append(ANY)
        elif word not in _PLAIN:
            return holders
    return None
