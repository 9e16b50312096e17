"""Calls that nobody can look into: what their name says they do with texts (`models/flow.toml`).

turns.append(note)          the receiver holds one more element       effects: ("[]", ...)
state.get("summary")        the field of the receiver                 result: below "summary"
HumanMessage(content=s)     an object with that field                 result: ("content",)
len(text)                   nothing
render(text)                a text made of all that goes in           result: ()
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.ir.keys import NAMED
from ctxlint.ir.ops import ANY, ATTR, BUILD, CONST, ELEMENT, IMPORT, IN_LIST, KEY, NAME, Op
from ctxlint.taint import handles, lockers
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.facts import Fact, Mark, Path, element, get, put
from ctxlint.taint.marks import extend, field_at, siblings, taken_out
from ctxlint.taint.names import split
from ctxlint.taint.positions import returned
from ctxlint.taint.shelves import narrowed
from ctxlint.taint.tested import NARROWS

STORING = frozenset(
    {
        "add",
        "append",
        "archive",
        "cache",
        "commit",
        "create",
        "dump",
        "enqueue",
        "insert",
        "log",
        "note",
        "overwrite",
        "persist",
        "push",
        "put",
        "record",
        "register",
        "remember",
        "replace",
        "save",
        "set",
        "setex",
        "store",
        "update",
        "upsert",
        "write",
        "writelines",
        "extend",
        "execute",
    }
)


_DUMPED = frozenset({"dump_dict", "dump_json", "dump_python", "dump_string", "dump_text", "dump_yaml"})
"""These give a text or an object: `adapter.dump_json(note)`."""
_FOR_PEOPLE = frozenset({"logger", "logging", "console", "printer", "tracer", "telemetry"})
_CLASSES = frozenset({"cls", "class", "klass", "type"})
_FIELDED = frozenset({"dict", "OrderedDict", "replace", "evolve", "SimpleNamespace"})
"""Calls whose keywords are fields of what they give back."""
_FORMS = frozenset(
    {
        "to",
        "as",
        "into",
        "render",
        "format",
        "dump",
        "dumps",
        "serialize",
        "export",
        "build",
        "make",
        "convert",
        "json",
        "dict",
        "model",
        "str",
        "repr",
        "text",
        "join",
        "compose",
        "assemble",
        "stringify",
        "show",
        "tostring",
        "all",
        "prompt",
        "encode",
    }
)
"""First words of methods that give the whole object in another form."""
_WHOLE = frozenset({"content", "contents", "text", "texts", "string", "markdown", "html"})
"""Last words of methods that give what the object says: `get_content`."""
_LOOKING = frozenset(
    {"fetch", "find", "lookup", "query", "recall", "rerank", "retrieve", "scan", "scroll", "search"}
) | {
    "similarity",
}
"""First words of methods that look for something in what their object holds."""
_PATTERNS = frozenset({"re", "regex", "re.compile", "regex.compile"})
_MAKING = frozenset({"calculate", "compute", "create", "encode", "fetch", "generate", "get", "make", "query", "text"})
"""First words of functions that make what their last word names."""


def results(graph: CallGraph, function: int, fact: Fact, call: int) -> Iterator[Fact]:
    """Facts about the result of an unknown call that has a fact's value as receiver or argument."""
    op = graph.program.op(function, call)
    name = graph.name(function, call)
    if _constructs(graph, function, op, name):
        yield from _object(graph, function, fact, call)
        return
    if fact.mark and fact.value == op[2] and name in NARROWS and narrowed(graph, function, call, dict(fact.mark)):
        return
    held = handles.is_held(fact.path)
    path = handles.below(graph, fact, op, name) if held else _path(graph, function, fact, op, name)
    mark: Mark | None = fact.mark
    if fact.value == op[2] and name == "items":
        mark = lockers.paired(fact, function)
    elif fact.value == op[2] and name in graph.models.flow.keyed and op[4]:
        mark = lockers.asking(graph, fact, (function, op[4][0]))
    if path is not None and mark is not None:
        mark = mark if path or not fact.path else taken_out(mark)
        yield fact._replace(value=call, path=path, mark=returned(mark, name))


def _is_component(graph: CallGraph, function: int, fact: Fact, op: Op) -> bool:
    """The argument is an object of a linted class with derived text in one of its fields: not a text to work on."""
    if not fact.path or fact.path[0] in {IN_LIST, ANY} or fact.value == op[2]:
        return False
    kinds = graph.values.types(function, fact.value)
    return any(isinstance(kind.target, int) and graph.program.classes[kind.target].methods for kind in kinds)


def _gives(fact: Fact, op: Op, name: str) -> bool:
    """A method of an object gives text in one of its fields away: it turns all of it into another form, or names it.

    `note.render()` does, and `note.get_text()` for the field `text`; `note.owners()` does not.
    """
    if fact.value != op[2] or op[1] >= 0 or not fact.path or fact.path[0] in {IN_LIST, ANY} or fact.path[0].isdigit():
        return True
    words = split(name)
    return (
        name == "get"
        or words[0] in _FORMS
        or words[-1] in _WHOLE
        or any(set(split(field)) & set(words) for field in fact.path)
    )


def _steers(graph: CallGraph, function: int, fact: Fact, op: Op) -> bool:
    """The text says what is looked for: `index.search(question)` gives back what was found, not the question."""
    if op[2] < 0 or fact.value == op[2] or _is_pattern(graph, function, op[2]):
        return False
    first = (split(op[3]) or ("",))[0]
    return handles.is_run(graph, function, op) or first in _LOOKING or (first[:1] == "a" and first[1:] in _LOOKING)


def _is_pattern(graph: CallGraph, function: int, receiver: int) -> bool:
    """`re.search(pattern, text)`, `re.compile(pattern).search(text)`: what is found is a part of the text."""
    names = {str(ref.target) for ref in graph.values.refs(function, receiver)}
    return not _PATTERNS.isdisjoint(names | {str(kind.target) for kind in graph.values.types(function, receiver)})


def gives_vectors(name: str) -> bool:
    """A call of this name turns texts into numbers: `embed_query`, `get_text_embedding`."""
    words = split(name.removeprefix("a") if name.startswith(("aget_", "aembed", "acreate_")) else name)
    first = "".join(words[:1])
    if first == "embed":
        return True
    last = words[-2:-1] if words[-1:] == ("batch",) and len(words) > 1 else words[-1:]
    return last in {("embedding",), ("embeddings",)} and first in _MAKING


def _constructs(graph: CallGraph, function: int, op: Op, name: str) -> bool:
    if op[1] >= 0 and any(ref.kind == "class" for ref in graph.values.refs(function, op[1])):
        return True
    return name[:1].isupper() and not name.isupper()


def _object(graph: CallGraph, function: int, fact: Fact, call: int) -> Iterator[Fact]:
    op = graph.program.op(function, call)
    for name, value in op[5]:
        if value == fact.value:
            field = "" if name in {"*", "**"} else name
            near: dict[str, object] = siblings(graph, function, value, call)
            yield fact._replace(value=call, path=put(field, fact.path), mark=extend(fact.mark, near, graph.tested))
    for position, value in enumerate(op[4]):
        if value == fact.value:
            near = siblings(graph, function, value, call)
            field = field_at(graph, function, op, position)
            yield fact._replace(value=call, path=put(field, fact.path), mark=extend(fact.mark, near, graph.tested))


def _path(graph: CallGraph, function: int, fact: Fact, op: Op, name: str) -> Path | None:
    flow = graph.models.flow
    is_receiver = op[2] == fact.value
    path: Path | None = ()
    if (
        (not flow.answers.isdisjoint(split(name)) and not is_receiver)
        or name in flow.silent
        or (split(name) or ("",))[0] in flow.silent_words
        or name in flow.clears
    ):
        path = None
    elif name in flow.keyed or (name in flow.element and op[4] and is_receiver):
        key = _constant(graph, function, op[4][0] if op[4] else -1)
        below = get(fact.path, key) if key is not None else element_or_field(fact.path)
        # The key says which record it is: what comes back is the record, or the default.
        asked = op[2] >= 0 and op[4][:1] == (fact.value,)
        path = below if is_receiver else None if asked else fact.path
    elif name in _SHAPES or (name == "getattr" and op[4][:1] == (fact.value,)):
        path = _shaped(graph, function, fact, op, name)
    elif name in flow.element:
        path = element_or_field(fact.path)
    elif name in flow.row and is_receiver:
        # What a query holds may be told by the fields of a row.
        path = fact.path if fact.path and fact.path[0].isidentifier() else element_or_field(fact.path)
    elif name in flow.keep:
        path = put(_keyword(op, fact.value), fact.path) if name in _FIELDED else fact.path
    elif name in flow.appends or name in flow.extends or name in flow.sets:
        path = fact.path if is_receiver and name in flow.extends else None
    elif _is_component(graph, function, fact, op) or not _gives(fact, op, name) or _steers(graph, function, fact, op):
        path = None
    elif fact.path and ("**", fact.value) in op[5] and name not in flow.template_methods:
        path = fact.path
    return path


def _shaped(graph: CallGraph, function: int, fact: Fact, op: Op, name: str) -> Path | None:
    if name == "getattr":
        return _any_of(graph, function, op, fact.path)
    return _SHAPES[name](fact.path, op[4].index(fact.value) if fact.value in op[4] else 0)


def _any_of(graph: CallGraph, function: int, op: Op, path: Path) -> Path | None:
    """`for name in ("content", "summary"): getattr(note, name)`: the text is in one of these fields, or in none."""
    ops = graph.program.functions[function].ops
    name = ops[op[4][1]] if len(op[4]) > 1 else ()
    listed = ops[name[1]] if name and name[0] == ELEMENT else ()
    if listed and listed[0] == NAME:
        held = graph.program.global_value(graph.program.module_of[function], listed[1])
        ops = graph.program.functions[held[0]].ops if held is not None else ops
        listed = ops[held[1]] if held is not None else ()
    known = [ops[value] for _, value, *_ in listed[1]] if listed and listed[0] == BUILD else []
    if not path or not known or any(field[0] != CONST for field in known):
        return element_or_field(path)
    return path[1:] if path[0] == ANY or path[0] in {field[1] for field in known} else None


def _keyword(op: Op, value: int) -> str:
    """The keyword under which a call gets a value, "" for another way."""
    return next((name for name, held in op[5] if held == value and name not in {"*", "**"}), "")


def element_or_field(path: Path) -> Path:
    """The path below whatever one reads from a collection."""
    return path[1:]


def _items(path: Path, _position: int) -> Path | None:
    if path[:1] == (KEY,):
        return (IN_LIST, "0", *path[1:])
    return (IN_LIST, "1", *path[1:]) if path else ()


def _values(path: Path, _position: int) -> Path | None:
    if path[:1] == (KEY,):
        return None
    return (IN_LIST, *path[1:]) if path else ()


def _enumerate(path: Path, _position: int) -> Path | None:
    inner = element(path)
    return () if not path else None if inner is None else (IN_LIST, "1", *inner)


def _zip(path: Path, position: int) -> Path | None:
    inner = element(path)
    return (IN_LIST, str(position), *inner) if inner is not None else None


def _gather(path: Path, _position: int) -> Path | None:
    return path if path and path[0] == IN_LIST else put(IN_LIST, path)


_SHAPES = {"items": _items, "values": _values, "enumerate": _enumerate, "zip": _zip, "gather": _gather}


def _constant(graph: CallGraph, function: int, value: int) -> str | int | None:
    if value < 0:
        return None
    op = graph.program.op(function, value)
    if op[0] == CONST:
        return op[1] if isinstance(op[1], str | int) else None
    name = op[1] if op[0] == NAME else op[2] if op[0] in {ATTR, IMPORT} else ""
    return f"{NAMED}{name}" if name.isupper() else None


def _keeps_nothing(graph: CallGraph, function: int, value: int) -> bool:
    """The receiver writes for people, and nobody reads it back; or it is a class, which makes an object."""
    op = graph.program.op(function, value)
    name = (
        op[2] if op[0] == ATTR else op[1] if op[0] == NAME else graph.program.functions[function].names.get(value, "")
    )
    return (split(str(name)) or [""])[-1] in _FOR_PEOPLE | _CLASSES


def _made_fields(graph: CallGraph, function: int, fact: Fact, op: Op) -> Path | None:
    """`super().__init__(text=text, **data)` of a base that is not linted: keywords become fields of the object."""
    if graph.name(function, op[2]) != "super":
        return None
    keyword = _keyword(op, fact.value)
    if keyword:
        return put(keyword, fact.path)
    return fact.path or None if ("**", fact.value) in op[5] else None


def is_key(op: Op, value: int) -> bool:
    """`store.put(key=text, val=vector)`: the text only says where something else is kept."""
    names = [name for name, held in op[5] if held == value]
    return bool(names) and value not in op[4] and len(op[4]) + len(op[5]) > 1 and all(map(_names_a_key, names))


def _names_a_key(keyword: str) -> bool:
    return (split(keyword) or ("",))[-1] in {"key", "id", "uuid", "hash"}


def effect(graph: CallGraph, function: int, fact: Fact, call: int) -> Path | None:
    """Where an unknown method puts one of its arguments in its receiver; None when it keeps nothing of it."""
    op = graph.program.op(function, call)
    name = op[3]
    flow = graph.models.flow
    path: Path | None = None
    keeps = not (is_key(op, fact.value) or _keeps_nothing(graph, function, op[2]))
    if fact.value == op[2] or not keeps or handles.passes(graph, function, fact, op):
        path = None
    elif name == "__init__":
        path = _made_fields(graph, function, fact, op)
    elif name in flow.sets and op[4] and op[4][0] != fact.value:
        key = _constant(graph, function, op[4][0])
        path = put(ANY if key is None else str(key), fact.path)
    elif name in flow.appends:
        path = put(IN_LIST, fact.path)
    elif name in flow.extends:
        keyword = next((keyword for keyword, value in op[5] if value == fact.value), "*")
        path = fact.path or (IN_LIST,) if keyword in {"*", "**"} else put(keyword, fact.path)
    elif (split(name) or ("",))[0] in STORING:
        path = handles.holding(graph, function, call, fact.path)
    return path
