"""Tools: functions that a summarizer may call, and whose arguments it writes.

def save_notes(recap: str): self.db.save(recap)
llm.chat(prompt, tools=[save_notes])            what arrives in `recap` was written by this call
agent = Agent(tools=make_tools(db))             the functions that make_tools returns, bare or wrapped
agent.run(prompt)                               or: Runner.run(agent, prompt)
@agent.tool
def note(ctx, text): ...                        registered by a decorator
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterator

from ctxlint.ir.ops import ATTR, CALL, CAPTURE, ELEMENT, IMPORT, ITEM, NAME, OUT, PARAM
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.names import split, words_of
from ctxlint.taint.objects import sources
from ctxlint.taint.operands import operands
from ctxlint.taint.spelling import last_name, spelled

_KEYWORDS = frozenset(
    {"tools", "functions", "toolkits", "toolset", "toolsets", "available_functions", "tool_functions"}
)
_BINDING = frozenset({"bind_tools", "with_tools", "bind_functions", "add_tools", "register_tools", "set_tools"})
_DECORATORS = frozenset({"tool", "tool_plain", "register_tool", "function_tool"})
_CONTEXT = frozenset({"self", "cls", "ctx", "context", "run_context", "tool_context", "state", "config", "runtime"})
_AGENTS = frozenset({"agent", "assistant", "bot"})
_NO_TEXT = frozenset({"int", "float", "bool"})
_MAX_VALUES = 200
_MAX_HOPS = 3
_MAX_TOOLS = 40

Place = tuple[int, int]
"""A function and a value of it."""


def written_by(graph: CallGraph, function: int, call: int, holding: Container[int]) -> Iterator[Place]:
    """The parameters of tools, as values of their functions, that a call of a model fills in.

    A tool that is `holding` a summarizer site is told what to look for, unless the parameter is named for a text.
    """
    words = graph.models.words
    texts = words.context_nouns | words.around
    for tool in list(dict.fromkeys(_tools(graph, function, call)))[:_MAX_TOOLS]:
        owner = graph.program.functions[tool]
        for index, parameter in enumerate(owner.parameters):
            kinds = parameter.annotation.split()
            if tool in holding and not words_of(parameter.name) & texts:
                continue
            if parameter.name not in _CONTEXT and not (kinds and all(kind in _NO_TEXT for kind in kinds)):
                value = index + 1
                if value < len(owner.ops) and owner.ops[value][:2] == (PARAM, index):
                    yield tool, value


def _tools(graph: CallGraph, function: int, call: int) -> Iterator[int]:
    op = graph.program.op(function, call)
    starts = [(function, value) for name, value in op[5] if name in _KEYWORDS]
    receiver = op[2] if op[2] >= 0 else op[1]
    starts.extend(_of_receiver(graph, function, receiver))
    for value in op[4][:1]:
        if _AGENTS.intersection(split(last_name(graph, function, value))[-1:]):
            starts.extend(_of_receiver(graph, function, value))  # `Runner.run(memory_agent, prompt)`
    yield from _functions(graph, starts)
    yield from _decorated(graph, function, receiver)


def _of_receiver(graph: CallGraph, function: int, receiver: int) -> Iterator[Place]:
    """What the object that is asked was given as its tools, where it was made."""
    pending = deque([(function, receiver)])
    seen: set[Place] = set()
    while pending and len(seen) < _MAX_VALUES:
        place = pending.popleft()
        if place in seen:
            continue
        seen.add(place)
        op = graph.program.op(*place)
        if op[0] == CALL:
            yield from ((place[0], value) for name, value in op[5] if name in _KEYWORDS)
            name = graph.name(*place)
            if name in _BINDING or "agent" in words_of(name):
                yield from ((place[0], value) for value in op[4])
            if op[2] >= 0:
                pending.append((place[0], op[2]))
        pending.extend(_before(graph, place))


def _functions(graph: CallGraph, starts: list[Place]) -> Iterator[int]:
    """The linted functions that a list of tools is made of."""
    pending = deque((*place, 0) for place in starts)
    seen: set[Place] = set()
    while pending and len(seen) < _MAX_VALUES:
        function, value, hops = pending.popleft()
        if (function, value) in seen:
            continue
        seen.add((function, value))
        found = [ref.target for ref in graph.values.refs(function, value) if ref.kind == "function"]
        yield from (target for target in found if isinstance(target, int))
        if found:
            continue
        op = graph.program.op(function, value)
        pending.extend((*place, hops) for place in _before(graph, (function, value)))
        if op[0] == CALL:
            pending.extend((function, held, hops) for held in (*op[4], *(held for _, held in op[5])))
            for target in graph.targets(function, value) if hops < _MAX_HOPS else ():
                returns = graph.program.functions[target.function].returns
                pending.extend((target.function, held, hops + 1) for held in returns)


def _before(graph: CallGraph, place: Place) -> Iterator[Place]:
    """The values that a value holds or is, without those that only a callee gets."""
    function, value = place
    program = graph.program
    op = program.op(function, value)
    if op[0] == OUT:
        grown = program.op(function, op[2])
        yield function, op[1]
        if op[3] == "self" and (grown[3] in graph.models.flow.appends or grown[3] in graph.models.flow.extends):
            yield from ((function, held) for held in grown[4])
    elif op[0] == ATTR:
        for kind in graph.values.types(function, op[1]):
            if isinstance(kind.target, int):
                yield from graph.values.fields(kind.target, op[2])
    elif op[0] == NAME:
        held = program.global_value(program.module_of[function], op[1])
        yield from [held] if held is not None else []
    elif op[0] == CAPTURE:
        holder = program.function_id(function, op[2])
        yield from ((holder, held) for held in program.functions[holder].variables.get(op[1], ()))
    elif op[0] in {ELEMENT, ITEM}:
        yield function, op[1]
    elif op[0] not in {CALL, PARAM, IMPORT}:
        yield from ((function, held) for held in (sources(op) or operands(op)))


def _decorated(graph: CallGraph, function: int, receiver: int) -> Iterator[int]:
    """The functions that a decorator of the object makes its tools: `@agent.tool`."""
    name = spelled(graph, function, receiver) if receiver >= 0 else ""
    program = graph.program
    index = program.module_of[function]
    for local, owner in enumerate(program.modules[index].functions) if name else ():
        for decorator in owner.decorators:
            holder, _, last = decorator.rpartition(".")
            if holder == name and last in _DECORATORS:
                yield program.first_function[index] + local
