"""A model is asked in a loop, or by a function that calls itself, with its last answer in what it is asked.

    def refine(llm, prompt, pages):
        answer = ""
        for page in pages:
            answer = llm.ask(prompt.format(old=answer, page=page))      carried by `answer`
        return answer
    refine(llm, "Refine the existing summary: {old} {page}", pages)     says what it is asked for

The prompt stands at the outer call, the round in which a summary is summarized again in the inner one.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxlint.ir.ops import CALL, LOOP, OUT
from ctxlint.taint.facts import loop_of

if TYPE_CHECKING:
    from ctxlint.taint.callgraph import CallGraph

_MAX_WALK = 400


def carried(graph: CallGraph, function: int, call: int) -> bool:
    """The answer of a call comes back to it: around its loop by a variable, or in the function's call of itself."""
    after = _made_of(graph, function, [call])
    owner = graph.program.functions[function]
    number = loop_of(owner, call)
    heads = [
        value
        for value in after
        if number and owner.ops[value][0] == LOOP and owner.ops[value][2] == number and value != call
    ]
    if heads and call in _made_of(graph, function, heads):
        return True
    return any(
        owner.ops[value][0] == CALL and any(target.function == function for target in graph.targets(function, value))
        for value in after
        if value != call
    )


def _made_of(graph: CallGraph, function: int, start: list[int]) -> dict[int, None]:
    """The values that are made of some values, the calls that get them among them; not what was changed in place."""
    ops = graph.program.functions[function].ops
    users = graph.uses(function)
    found: dict[int, None] = {}
    pending = list(start)
    while pending and len(found) < _MAX_WALK:
        for user in users.get(pending.pop(), ()):
            if user not in found and ops[user][0] != OUT:
                found[user] = None
                pending.append(user)
    return found
