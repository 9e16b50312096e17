"""What must hold of every IR, whatever was lowered. `violations` tells each breach in words; a sound IR has none."""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.ir import FunctionIR, ModuleIR
from ctxlint.ir import ops as o
from ctxlint.ir.ops import Op

_FIRST = frozenset({o.ATTR, o.ITEM, o.SLICE, o.ELEMENT, o.FILTER, o.OUT, o.DELETE})
_LISTS = frozenset({o.PHI, o.EXIT, o.CONCAT, o.FORMAT})
_KEYED = frozenset({o.ITEM, o.SET_ITEM})
_KINDS = {value for name, value in vars(o).items() if name.isupper() and isinstance(value, int)}


def violations(module: ModuleIR, lines: int) -> list[str]:
    """Every breach of a rule in a module of so many lines."""
    found = [
        text for index, function in enumerate(module.functions) for text in _function(module, index, function, lines)
    ]
    return [*found, *_indexes(module), *_classes(module)]


def _function(module: ModuleIR, index: int, function: FunctionIR, lines: int) -> Iterator[str]:
    where = f"{index} {function.qualname}"
    count = len(function.ops)
    if function.ops[:1] != ((o.OPAQUE,),) or len(function.spans) != count:
        yield f"{where}: value 0 is unknown, and every value has a span or None"
    if not (function.owner < index and (function.owner >= 0) == (index > 0)):
        yield f"{where}: its owner {function.owner} comes before it"
    for value, op in enumerate(function.ops):
        if op[0] not in _KINDS:
            yield f"{where}/{value}: unknown operation {op}"
        for used in operands(op):
            if not 0 <= used < value:
                yield f"{where}/{value}: {op} is made of the later value {used}"
        yield from (f"{where}/{value}: {text}" for text in _operation(module, index, value, op))
    for position, parameter in enumerate(function.parameters):
        if function.ops[position + 1] != (o.PARAM, position, parameter.name):
            yield f"{where}: parameter {position} is value {position + 1}"
        if not 0 <= parameter.default < len(module.functions[function.owner].ops):
            yield f"{where}: the default of {parameter.name} is a value of the owner"
    for values in (function.returns, function.yields, function.names, *function.variables.values()):
        if any(not 0 <= value < count for value in values) or len(set(values)) != len(values):
            yield f"{where}: {values} are values, each once"
    yield from (f"{where}: {text}" for text in (*_loops(function), *_spans(function, lines)))


def operands(op: Op) -> tuple[int, ...]:
    """The values that an operation is made of, apart from the ways back into a loop."""
    kind = op[0]
    if kind in _FIRST:
        return (op[1], op[2]) if kind == o.OUT else (op[1],)
    if kind in _LISTS:
        return op[1]
    if kind == o.LOOP:
        return (op[1],)
    if kind == o.BUILD:
        return tuple(value for _, value in op[1])
    if kind in {o.SET_ATTR, o.SET_ITEM}:
        return (op[1], op[3])
    if kind == o.CALL:
        return (*(value for value in op[1:3] if value != -1), *op[4], *(value for _, value in op[5]))
    if kind == o.TEST:
        return op[2]
    return (op[-1],) if kind in {o.SET_GLOBAL, o.SET_CAPTURE} else ()


def _operation(module: ModuleIR, index: int, value: int, op: Op) -> Iterator[str]:
    function = module.functions[index]
    kind = op[0]
    if kind == o.CALL:
        if (op[1] == -1) == (op[2] == -1) or (op[2] == -1) != (op[3] == ""):
            yield "a call has a callee, or a receiver and a method"
    elif kind == o.OUT:
        call = function.ops[op[2]]
        known = {"self"} if call[0] == o.CALL and call[2] >= 0 else set[object]()
        if call[0] != o.CALL or op[3] not in known | set(range(len(call[4]))) | {name for name, _ in call[5]}:
            yield f"{op[3]!r} is no argument of the call {call}"
    elif kind == o.LOOP:
        start, end = function.loops[op[2]].start, function.loops[op[2]].end
        if not (start <= value < end and all(0 <= back < len(function.ops) and back != value for back in op[3])):
            yield f"{op}: the head of a loop lies in it, and comes from other values"
    elif kind == o.EXIT and value < function.loops[op[2]].end:
        yield f"{op}: the exit of a loop lies behind it"
    elif kind in {o.CAPTURE, o.SET_CAPTURE} and not _captured(module, index, op):
        yield f"{op}: the owner does not know the variable"
    elif (kind == o.FUNC and module.functions[op[1]].owner != index) or (
        kind == o.CLASS and module.classes[op[1]].owner != index
    ):
        yield f"{op}: what is defined here has another owner"
    elif kind in _KEYED and not (op[2] is None or isinstance(op[2], str | int)):
        yield f"{op}: a key is a text, a number or unknown"
    elif kind == o.PHI and not op[1]:
        yield f"{op}: one of no values"


def _captured(module: ModuleIR, index: int, op: Op) -> bool:
    owner = module.functions[index].owner
    while owner > 0:
        if owner == op[2]:
            return op[0] == o.SET_CAPTURE or op[1] in module.functions[owner].variables
        owner = module.functions[owner].owner
    return False


def _loops(function: FunctionIR) -> Iterator[str]:
    for number, loop in enumerate(function.loops[1:], 1):
        around = function.loops[loop.parent]
        if not (loop.parent < number and 0 < loop.start < loop.end <= len(function.ops)):
            yield f"loop {number} is {loop}"
        elif loop.parent and not around.start <= loop.start < loop.end <= around.end:
            yield f"loop {number} is not inside loop {loop.parent}"


def _spans(function: FunctionIR, lines: int) -> Iterator[str]:
    for span in (function.span, *function.spans):
        if span is None:
            continue
        line, column, end_line, end_column = span
        if not (1 <= line <= end_line <= max(lines, 1) and min(column, end_column) >= 0 and span[:2] <= span[2:]):
            yield f"{span} is no place"


def _classes(module: ModuleIR) -> Iterator[str]:
    for number, kind in enumerate(module.classes):
        owner = module.functions[kind.owner]
        if any(not 0 < value < len(owner.ops) for value in kind.attributes.values()):
            yield f"class {number}: an attribute is no value of its owner"
        if any(module.functions[method].class_index != number for method in kind.methods.values()):
            yield f"class {number}: a method of another class"
        if (o.CLASS, number) not in owner.ops:
            yield f"class {number}: its owner does not define it"


def _indexes(module: ModuleIR) -> Iterator[str]:
    tables = {
        "attributes": (module.attributes, lambda op, name: op[0] == o.ATTR and op[2] == name),
        "globals_read": (module.globals_read, lambda op, name: op == (o.NAME, name)),
        "calls": (module.calls, lambda op, name: op[0] == o.CALL and op[3] in {name, ""}),
        "mentions": (module.mentions, lambda op, _: op[0] == o.CALL),
        "keys": (module.keys, lambda op, name: (op[0], op[2]) == (o.ITEM, name) or (op[0], op[3]) == (o.CALL, "get")),
    }
    for table, (index, fits) in tables.items():
        for name, places in index.items():
            for owner, value in places:
                if not fits(module.functions[owner].ops[value], name):
                    yield f"{table}[{name!r}] leads to {module.functions[owner].ops[value]}"
    for owner, value in module.tests:
        if module.functions[owner].ops[value][0] not in {o.FILTER, o.TEST, o.SLICE}:
            yield f"tests leads to {module.functions[owner].ops[value]}"
    for owner, function in enumerate(module.functions):
        calls = sum(op[0] == o.CALL for op in function.ops)
        listed = sum(place[0] == owner for places in module.calls.values() for place in places)
        if calls != listed:
            yield f"function {owner} has {calls} calls, and {listed} are listed"
