"""Which object is it? Text that one subclass puts through a method of its base stays with that subclass.

class Chain:
    def run(self, x): return self._call(x)      Poet._call returns a summary: run returns it, for a Poet
poet.run(x)                                     ... so this call returns it (poet: a Poet, or a Chain near by)
Router().run(x)                                 ... and this one does not
"""

from __future__ import annotations

from ctxlint.ir.ops import CALL, PARAM
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.declared import Kind
from ctxlint.taint.heap import Heap
from ctxlint.taint.program import Program
from ctxlint.taint.regions import Seed
from ctxlint.taint.target import Target

_BARE = frozenset({"object", "ABC", "Protocol", "Generic"})
"""Bases without methods that anybody calls."""


def narrower(program: Program, kind: int, function: int) -> int:
    """`kind` where it is a proper subclass of the class whose method `function` is, else -1."""
    own = program.class_of(function)
    return kind if kind >= 0 and own >= 0 and kind != own and own in program.ancestors(kind) else -1


def inward(graph: CallGraph, heap: Heap, seed: Seed, call: int, target: Target) -> int | None:
    """The class of the callee's object (-1 when its function tells all), None when this target is not run for it."""
    if target.made >= 0:
        own = seed.actual >= 0 and _of_own_class(graph, seed.function, call)
        return narrower(graph.program, seed.actual if own else target.made, target.function)
    if target.receiver < 0:
        return narrower(graph.program, _named(graph, seed, call), target.function)
    if not heap.is_self(seed.function, target.receiver):
        return narrower(graph.program, _kind(graph, seed, target.receiver), target.function)
    if seed.actual < 0:
        return -1
    if graph.program.op(seed.function, call)[0] == CALL and not _runs(graph.program, seed.actual, target.function):
        return None
    return narrower(graph.program, seed.actual, target.function)


def _of_own_class(graph: CallGraph, function: int, call: int) -> bool:
    """The call is `cls(...)` in a method of the class: of the class that the method was called on."""
    op = graph.program.op(function, call)
    classmethod_ = "classmethod" in graph.program.functions[function].decorators
    return bool(classmethod_ and op[0] == CALL and op[1] >= 0 and graph.program.op(function, op[1])[:2] == (PARAM, 0))


def _named(graph: CallGraph, seed: Seed, call: int) -> int:
    """The class on which a method of the class is called: `Index.from_pages(...)`, `cls.from_pages(...)`; else -1."""
    op = graph.program.op(seed.function, call)
    if op[0] != CALL or op[2] < 0:
        return -1
    if seed.actual >= 0 and graph.program.op(seed.function, op[2])[:2] == (PARAM, 0):
        return seed.actual
    refs = [ref.target for ref in graph.values.refs(seed.function, op[2]) if ref.kind == "class"]
    return refs[0] if len(refs) == 1 and isinstance(refs[0], int) else -1


def _kind(graph: CallGraph, seed: Seed, receiver: int) -> int:
    """The one class that a receiver is known to be of, -1 when it may be several."""
    function = seed.function
    if graph.program.op(function, receiver)[0] == CALL and graph.name(function, receiver) == "super":
        return seed.actual if seed.actual >= 0 else graph.program.enclosing_class(function)
    kinds = [kind for kind in graph.values.types(function, receiver) if isinstance(kind.target, int)]
    for declared in (False, True):
        found = {kind.target for kind in kinds if kind.declared == declared and isinstance(kind.target, int)}
        if len(found) == 1:
            return found.pop()
    return -1


def _runs(program: Program, kind: int, function: int) -> bool:
    """A call of the method's name on an object of the class (or of a subclass, where it must be one) runs it."""
    found = program.method(kind, program.functions[function].name)
    if found == function:
        return True
    below = program.class_of(function) in program.descendants(kind)
    return below and (found < 0 or program.functions[found].abstract)


def is_open(graph: CallGraph, function: int, call: int) -> bool:
    """`self.model_dump()` of a class whose base nobody can look into: that base may have the method.

    What a subclass has under the name runs for objects of that subclass only.
    """
    op = graph.program.op(function, call)
    if op[0] != CALL or op[1] >= 0 or op[2] < 0:
        return False
    return any(
        isinstance(kind.target, int)
        and graph.program.method(kind.target, op[3]) < 0
        and any(_extends_unknown(graph.program, ancestor) for ancestor in graph.program.ancestors(kind.target))
        for kind in graph.values.types(function, op[2])
    )


def _extends_unknown(program: Program, kind: int) -> bool:
    named = [base for base in program.classes[kind].bases if base.rpartition(".")[2] not in _BARE]
    return len(named) > len(list(program.bases(kind)))


def outward(graph: CallGraph, heap: Heap, inner: Seed, caller: int, target: Target) -> int | None:
    """The class of the caller's own object, -1 when nothing is known; None when the call is not for this object."""
    program = graph.program
    if target.receiver < 0:
        return -1
    own = inner.actual if inner.actual >= 0 else program.class_of(inner.function)
    if heap.is_self(caller, target.receiver):
        around = program.class_of(caller)
        apart = around >= 0 and own >= 0 and not program.related(own, around)
        return None if apart else narrower(program, own, caller)
    if inner.actual < 0 or any(
        _may_be(program, own, kind, caller) for kind in graph.values.types(caller, target.receiver)
    ):
        return -1
    return None


def _may_be(program: Program, own: int, kind: Kind, caller: int) -> bool:
    """A value of this kind may be an object of class `own`."""
    if not isinstance(kind.target, int):
        return False
    if kind.target == own or own in program.ancestors(kind.target):
        return True
    near = program.path_of(caller).rpartition("/")[0]
    at_home = program.modules[program.module_of_class[own]].path.rpartition("/")[0] == near
    return kind.declared and at_home and kind.target in program.ancestors(own)
