"""Requests that are sent and programs that are started: what they carry, or where it goes, is that of a model.

requests.post(url, json={"model": m, "messages": turns})      what the request carries
self.http.post(f"{base}/chat/completions", json=body)         where it goes, also when a field holds the address
urlopen(Request(url, data=json.dumps(body).encode()))         ... inside an object
def _post(self, path, body): return httpx.post(path, json=body)        what its callers send
subprocess.run(["claude", "-p", prompt])                      the program's name
"""

from __future__ import annotations

from collections.abc import Iterator

from ctxlint.ir import FunctionIR
from ctxlint.ir.ops import ATTR, BUILD, CALL, CONST, NAME, PARAM, SET_ITEM, Op
from ctxlint.models import LlmCall
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.operands import operands

_MAX_PAYLOAD = 40
_MAX_SENDERS = 12
_FORMS = frozenset({"dumps", "encode", "format", "Request", "model_dump", "model_dump_json", "to_dict", "asdict"})
"""Calls that give what they get in another form."""

Place = tuple[int, int]


class Sending:
    """Looks into requests and commands."""

    def __init__(self, graph: CallGraph) -> None:
        self.graph = graph
        self.program = graph.program

    def sends(self, function: int, call: int, entry: LlmCall) -> bool:
        """What the request carries, or where it goes, is that of a model."""
        op = self.program.op(function, call)
        given = (*op[4], *(value for name, value in op[5] if name in entry.text or name in {"**", "url"}))
        pending: list[Place] = [(function, value) for value in given]
        seen: set[Place] = set()
        keys: set[object] = set()
        while pending and len(seen) < _MAX_PAYLOAD:
            place = pending.pop()
            if place in seen:
                continue
            seen.add(place)
            inner = self.program.op(*place)
            if inner[0] == CONST and _is_address(inner[1], entry):
                return True
            keys.update(self._keys(place[0], place[1], inner))
            pending.extend(self._before(function, place, inner))
        return bool(entry.payload) and entry.payload <= keys

    def _keys(self, function: int, value: int, inner: Op) -> Iterator[object]:
        if inner[0] == BUILD:
            yield from (name for name, _ in inner[1])
        elif inner[0] == SET_ITEM and isinstance(inner[2], str):
            yield inner[2]
        elif inner[0] == CALL and inner[3] not in _FORMS:
            for target in self.graph.targets(function, value):
                yield from _returned(self.program.functions[target.function])
            if self.graph.name(function, value)[:1].isupper():
                yield from (name for name, _ in inner[5])

    def _before(self, start: int, place: Place, inner: Op) -> Iterator[Place]:
        function, value = place
        if inner[0] == BUILD:
            yield from ((function, held) for name, held in inner[1] if not isinstance(name, str) or not name)
        elif inner[0] == SET_ITEM and isinstance(inner[2], str):
            yield function, inner[1]
        elif inner[0] == ATTR:
            for kind in self.graph.values.types(function, inner[1]):
                if isinstance(kind.target, int):
                    yield from self.graph.values.fields(kind.target, inner[2])
        elif inner[0] == NAME:
            held = self.program.global_value(self.program.module_of[function], inner[1])
            yield from () if held is None else (held,)
        elif inner[0] == PARAM:
            yield from self._passed(function, inner) if function == start else ()
        elif inner[0] != CALL or self.graph.name(function, value) in _FORMS:
            yield from ((function, operand) for operand in operands(inner))

    def _passed(self, function: int, inner: Op) -> Iterator[Place]:
        """What those who call the function send."""
        callers = self.graph.callers(function)
        for caller, call in callers if len(callers) <= _MAX_SENDERS else ():
            op = self.program.op(caller, call)
            if op[0] == CALL:
                yield from ((caller, held) for name, held in op[5] if name == inner[2])
                yield from ((caller, held) for held in op[4] if self.program.op(caller, held)[0] != PARAM)

    def starts(self, function: int, call: int, entry: LlmCall) -> bool:
        """The command begins with the name of one of the programs."""
        op = self.program.op(function, call)
        pending, seen = [*op[4][:1], *(value for name, value in op[5] if name == "args")], set[int]()
        while pending and len(seen) < _MAX_PAYLOAD:
            value = pending.pop()
            if value in seen:
                continue
            seen.add(value)
            inner = self.program.op(function, value)
            if inner[0] == CONST:
                first = str(inner[1]).split()[:1]
                if first and first[0].rpartition("/")[2] in entry.starts:
                    return True
            elif inner[0] == BUILD:
                pending.extend(held for _, held in inner[1][:1])
            else:
                pending.extend(operands(inner)[:1] if inner[0] != CALL else inner[4][:1])
        return False


def _is_address(value: object, entry: LlmCall) -> bool:
    text = str(value).partition("?")[0].rstrip("/")
    return any(text.endswith(path) for path in entry.path)


def _returned(owner: FunctionIR) -> Iterator[object]:
    """The keys of the tables that a function returns."""
    pending = list(owner.returns)
    seen: set[int] = set()
    while pending and len(seen) < _MAX_PAYLOAD:
        value = pending.pop()
        if value in seen:
            continue
        seen.add(value)
        op = owner.ops[value]
        if op[0] == BUILD:
            yield from (name for name, _ in op[1])
            pending.extend(held for name, held in op[1] if not isinstance(name, str))
        elif op[0] == SET_ITEM:
            yield op[2]
            pending.append(op[1])
        elif op[0] != CALL:
            pending.extend(operands(op))
