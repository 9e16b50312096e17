"""Functions that run what they are given: what comes of it is for who gave it.

    def retry(func):
        return func()                           what the function gives that was handed in ...
    page = retry(lambda: store.load(key))
    memo = retry(lambda: llm.ask(FOLD + page))  ... comes back here, and not as `page`

Text that a function gives where it was handed in carries which one it is from. Where it leaves the function that ran
it, what the call hands in decides.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ctxlint.ir.ops import CALL

if TYPE_CHECKING:
    from ctxlint.taint.callgraph import CallGraph
    from ctxlint.taint.facts import Mark
    from ctxlint.taint.target import Target

RUN = "$run "
"""Which function gave the text, of those that may be handed in: `$run 12 func`."""


def ran(graph: CallGraph, mark: Mark, place: tuple[int, int], inner: int) -> Mark:
    """The mark of a text that a call gives which runs what was handed in, to this function or one around it."""
    op = graph.program.op(*place)
    if op[0] != CALL or op[1] < 0 or graph.values.refs(place[0], op[1]):
        return mark
    pairs = {
        f"{RUN}{holder} {graph.program.op(holder, parameter)[2]}": inner
        for holder, parameter in graph.handed.parameters(place[0], op[1])
    }
    return tuple(sorted({**dict(mark), **pairs}.items(), key=lambda pair: pair[0])) if pairs else mark


def back(graph: CallGraph, name: str, inner: object, through: tuple[tuple[int, int], Target]) -> Mark | None:
    """What remains to be known behind a call: None when it hands in another function than the text is from."""
    (function, call), target = through
    parameters = graph.program.functions[target.function].parameters
    for value, position in graph.passes(function, call, target):
        if parameters[position].name != name:
            continue
        found = [ref.target for ref in graph.values.refs(function, value) if ref.kind == "function"]
        if found:
            return () if inner in found else None
        handed = graph.handed.parameters(function, value)
        return tuple((f"{RUN}{holder} {graph.program.op(holder, given)[2]}", inner) for holder, given in handed)
    return ()
