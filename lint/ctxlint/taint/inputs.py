"""What a summarizer gets as its input, of all that its call is given.

llm.ask(prompt=prompt, step=step)     the prompt; the object beside it is for logs, costs, traces
handler_of(task)(prompt)              the prompt; what the called function was made of is none of it
llm.ask(prompt, session)              the prompt; a handle is no text (`ctxlint.taint.handles`)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxlint.taint.handles import is_held
from ctxlint.taint.names import split

if TYPE_CHECKING:
    from ctxlint.ir.ops import Op
    from ctxlint.taint.callgraph import CallGraph
    from ctxlint.taint.facts import Fact

_ASKS = frozenset(
    {
        "prompt",
        "prompts",
        "message",
        "messages",
        "input",
        "inputs",
        "content",
        "contents",
        "text",
        "query",
        "question",
    }
)
"""Last words of keywords under which a model is told what to do and with what."""


def is_input(graph: CallGraph, function: int, fact: Fact, call: int) -> bool:
    """Derived text in a value that a summarizer's call is given may be in what it summarizes."""
    op = graph.program.op(function, call)
    if fact.value == op[2]:
        return True
    if fact.value == op[1] and fact.value not in op[4]:
        return not fact.path or fact.path[0] in graph.models.flow.session_fields
    return not is_held(fact.path) and not _is_beside(graph, function, fact, op)


def _is_beside(graph: CallGraph, function: int, fact: Fact, op: Op) -> bool:
    """An object of a linted class, given under a name of its own, while the prompt has another."""
    names = [name for name, value in op[5] if value == fact.value]
    if not names or fact.value in op[4] or not fact.path or not fact.path[0].isidentifier():
        return False
    if any(map(_asks, names)) or not any(_asks(name) for name, _ in op[5]):
        return False
    return any(isinstance(kind.target, int) for kind in graph.values.types(function, fact.value))


def _asks(name: str) -> bool:
    return (split(name) or ("",))[-1] in _ASKS
