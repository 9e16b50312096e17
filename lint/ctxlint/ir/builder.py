"""A function under construction: it emits operations and knows what each variable holds at this point.

The statement and expression modules are tables of small functions over a `Builder`, so that none of them grows into
a visitor of a thousand lines. Names are resolved while lowering; no second pass over the operations is needed.
"""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Callable, Sequence
from typing import Any, Final

from ctxlint.ir import switches
from ctxlint.ir.assigned import assigned_names, walrus_names
from ctxlint.ir.breath import breathe
from ctxlint.ir.ledger import Ledger
from ctxlint.ir.module import FunctionIR, Header, Loop
from ctxlint.ir.ops import CAPTURE, EXIT, LOOP, NAME, OPAQUE, PHI, SET_CAPTURE, SET_GLOBAL, Op
from ctxlint.ir.reached import Reached, here
from ctxlint.ir.scope import FinalFrame, LoopFrame, Scope, all_names, changes
from ctxlint.ir.targets import assign, change

Lower = Callable[["Builder", Any], int]


def _unknown(_builder: Builder, _node: ast.expr) -> int:
    return 0


EXPRESSIONS: Final[dict[type, Lower]] = dict.fromkeys(ast.expr.__subclasses__(), _unknown)
"""How each kind of expression is lowered. Who lowers what stands before a dot or a bracket notes the value."""
STATEMENTS: Final[dict[type, Callable[[Builder, Any], None]]] = {}


class Builder:
    """The state of one function's lowering."""

    def __init__(self, ledger: Ledger, index: int, outer: Builder | None, class_index: int = -1) -> None:
        self.ledger = ledger
        self.index = index
        self.outer = outer
        self.class_index = class_index
        self.ops: list[Op] = [(OPAQUE,)]
        self.nodes: list[Any] = [None]
        self.names: dict[int, str] = {}
        self.hints: dict[int, str] = {}
        self.shared: set[int] = set()
        self.scope = Scope(None)
        self.frames: list[LoopFrame] = []
        self.finals: list[FinalFrame] = []
        self.loops: list[Loop] = [Loop(0, 0, 0)]
        self.loop_phis: dict[int, list[tuple[str, int]]] = {}
        self.returns: list[int] = []
        self.yields: list[int] = []
        self.bound: set[str] = set()
        self.history: defaultdict[str, list[int]] = defaultdict(list)
        self.flags: frozenset[str] = frozenset()
        self.options: frozenset[str] = frozenset()
        self.tests: dict[int, tuple[Reached, Reached]] = {}
        self.reached: dict[int, Reached] = {}
        self.declared: dict[str, bool] = {}
        self.captured: set[str] = set()
        self.fields: dict[str, dict[str, None]] = {}
        self.lowered: dict[int, int] = {}
        self.body: Sequence[ast.stmt] = ()
        self.assigned: frozenset[str] | None = None
        self.walruses: frozenset[str] | None = None
        self.effect: ast.expr | None = None
        self.receiver = ""
        self.title = ""

    def emit(self, op: Op, node: Any = None) -> int:
        """The value of a new operation; `node` gives it a place."""
        ops = self.ops
        value = len(ops)
        ops.append(op)
        self.nodes.append(node)
        return value

    def expr(self, node: ast.expr) -> int:
        """The value of an expression."""
        return EXPRESSIONS[type(node)](self, node)

    def again(self, node: ast.expr) -> int:
        """The value of an expression that has been lowered: a variable as it is now, all else as it was."""
        if type(node) is ast.Name:
            return self.read(node.id)
        value = self.lowered.get(id(node))
        return self.expr(node) if value is None else value

    def base(self, node: ast.expr) -> int:
        """The value of what stands before a dot or a bracket, noted: `ask().turns.append(x)` asks once."""
        value = EXPRESSIONS[type(node)](self, node)
        if type(node) is not ast.Name:
            self.lowered[id(node)] = value
        return value

    def block(self, body: Sequence[ast.stmt]) -> None:
        """Lower statements in order; what stands behind a jump is not reached and not lowered."""
        breathe()
        for statement in body:
            if self.scope.dead:
                return
            lower = STATEMENTS.get(type(statement))
            if lower is not None:
                lower(self, statement)

    # -- variables -------------------------------------------------------------------------------------------

    def read(self, name: str) -> int:
        """The value that `name` holds here."""
        scope: Scope | None = self.scope
        while scope is not None:
            values = scope.values
            if name in values:
                return values[name]
            if scope.loop:
                value = self.at_head(scope, name)
                return self.free(name) if value is None else value
            scope = scope.parent
        return self.free(name)

    def known(self, name: str) -> int | None:
        """The value of a local name or pseudo-name such as `self.buffer`, or None."""
        values = self.scope.values
        return values[name] if name in values else self._look(self.scope, name)

    def name_of(self, value: int) -> str:
        """A variable that holds a value here, "" when none does."""
        scope: Scope | None = self.scope
        while scope is not None:
            for name, held in scope.values.items():
                if held == value and "." not in name:
                    return name if self.known(name) == value else ""
            scope = scope.parent
        return ""

    def _look(self, scope: Scope | None, name: str) -> int | None:
        while scope is not None:
            values = scope.values
            if name in values:
                return values[name]
            if scope.loop:
                # A round may change a field anywhere, so that nothing is known about fields at the head.
                return None if "." in name else self.at_head(scope, name)
            scope = scope.parent
        return None

    def at_head(self, scope: Scope, name: str) -> int | None:
        """The value of a name at the head of the loop whose scope this is; None for one that is bound further out."""
        entry = self._look(scope.parent, name)
        if entry is None:
            # Either from outside, or a variable whose first assignment stands further down the loop.
            if self.outer is None or name in self.declared or not self._is_assigned(name):
                return None
            entry = 0
        value = self.emit((LOOP, entry, scope.loop, ()))
        scope.values[name] = value
        self.loop_phis.setdefault(scope.loop, []).append((name, value))
        self.names[value] = name
        return value

    def _is_assigned(self, name: str) -> bool:
        if self.assigned is None:
            self.assigned = assigned_names(self.body)
        if name in self.assigned:
            return True
        words = self.ledger.walrus
        if words is not None and name not in words:
            return False
        if self.walruses is None:
            self.walruses = walrus_names(self.body)
        return name in self.walruses

    def owner_of(self, name: str) -> Builder | None:
        """The enclosing function that a free name belongs to, None when it is global."""
        builder = self.outer
        while builder is not None and builder.outer is not None:
            if name in builder.bound:
                return builder
            builder = builder.outer
        return None

    def free(self, name: str) -> int:
        """The value of a name that is bound further out."""
        outer = self.outer
        if outer is not None and outer.outer is not None and not self.declared.get(name):
            owner = self.owner_of(name)
            if owner is not None:
                owner.captured.add(name)
                return self.emit((CAPTURE, name, owner.index))
        ops = self.ops
        value = len(ops)
        ops.append((NAME, name))
        self.nodes.append(None)
        self.ledger.globals_read[name].append((self.index, value))
        return value

    def bind(self, name: str, value: int, node: ast.AST | None = None) -> None:
        """Let `name` hold `value` from here on; for one that is declared `global` or `nonlocal`, outside too."""
        self.scope.values[name] = value
        if name in self.declared:
            self._bind_outside(name, value, node)
        elif "." not in name:
            self.bound.add(name)
            self.history[name].append(value)
            if name in self.fields:
                self.forget_fields(name)
        else:
            self.fields.setdefault(name.partition(".")[0], {})[name] = None
        if value and self.names.setdefault(value, name) != name:
            self.shared.add(value)

    def _bind_outside(self, name: str, value: int, node: ast.AST | None) -> None:
        if self.declared[name]:
            self.emit((SET_GLOBAL, name, value), node)
            return
        owner = self.owner_of(name)
        if owner is not None:
            owner.captured.add(name)
            self.emit((SET_CAPTURE, name, owner.index, value), node)

    def rebind(self, name: str, value: int, old: int) -> None:
        """Let `name`, which holds `old`, and every other name of the same object, hold `value`: it was changed."""
        if old in self.shared:
            self._rebind_all(name, old, value)
        else:
            self.scope.values[name] = value
            self.history[name].append(value)
            self.names.setdefault(value, name)

    def _rebind_all(self, name: str, old: int, value: int) -> None:
        scope: Scope | None = self.scope
        names = [name]
        while scope is not None:
            names.extend(other for other, held in scope.values.items() if held == old and other != name)
            scope = scope.parent
        for other in names:
            if self.known(other) == old:
                self.scope.values[other] = value
                self.history[other].append(value)
        self.names.setdefault(value, name)
        self.shared.add(value)

    def store(self, target: ast.expr, value: int) -> None:
        """Assign `value` to `target`."""
        assign(self, target, value)

    def put_back(self, target: ast.expr, value: int) -> None:
        """Let what `target` reads, which has been lowered, hold `value`."""
        change(self, target, value)

    def forget_fields(self, root: str) -> None:
        """Drop what is known about attributes of `root`: a call may have changed them."""
        for name in self.fields.get(root, ()):
            scope: Scope | None = self.scope
            while scope is not None:
                value = scope.values.get(name)
                if value is not None:
                    if value:
                        self.scope.values[name] = 0
                    break
                scope = scope.parent

    # -- control flow ----------------------------------------------------------------------------------------

    def branch(self) -> Scope:
        """A scope for one way on from here; the caller makes it current."""
        return Scope(self.scope)

    def merge(self, base: Scope, branches: Sequence[Scope]) -> None:
        """Go on in `base` after control took one of `branches`."""
        self.scope = base
        alive = [branch for branch in branches if not branch.dead]
        if not alive:
            base.dead = True
            return
        given = [switches.between(branch, base) for branch in alive] if self.flags else []
        if len(given) == 1:
            base.given = (*base.given, *given[0])
        if len(alive) == 1 and self.options:
            base.reached = (*base.reached, *here(alive[0], base))
        ways = [branch.values if branch.parent is base else changes(branch, base) for branch in alive]
        if any(ways):
            self.meet(ways, given if any(given) else ())

    def meet(self, ways: Sequence[dict[str, int]], given: Sequence[switches.Given] = ()) -> None:
        """Let each name hold what it holds at the end of one of the `ways`, under what each is given."""
        if len(ways) == 1:
            self.scope.values.update(ways[0])
            return
        values = self.scope.values
        for name in all_names(ways):
            # What was before is the same for every way that says nothing of the name.
            before = -1
            distinct: dict[int, None] = {}
            for way in ways:
                if name in way:
                    distinct[way[name]] = None
                else:
                    if before < 0:
                        before = self._before(name)
                    distinct[before] = None
            if "." in name:
                # A field that one way may have changed is read from the heap again.
                values[name] = next(iter(distinct)) if len(distinct) == 1 else 0
            else:
                if given and len(distinct) > 1:
                    ends = [way.get(name, before) for way in ways]
                    distinct = dict.fromkeys(switches.told_apart(self, ends, given))
                distinct.pop(0, None)
                values[name] = self._joined(name, distinct) if len(distinct) > 1 else next(iter(distinct), 0)

    def _before(self, name: str) -> int:
        value = self._look(self.scope, name)
        return 0 if value is None else value

    def _joined(self, name: str, distinct: dict[int, None]) -> int:
        value = self.emit((PHI, tuple(distinct)))
        self.history[name].append(value)
        self.names.setdefault(value, name)
        return value

    def enter_loop(self, node: ast.AST) -> LoopFrame:
        """Start a loop body."""
        number = len(self.loops)
        self.loops.append(Loop(self.frames[-1].number if self.frames else 0, len(self.ops), 0))
        head = Scope(self.scope, loop=number)
        frame = LoopFrame(number, head, self.emit((OPAQUE,), node))
        self.frames.append(frame)
        self.scope = Scope(head)
        return frame

    def leave_loop(self, frame: LoopFrame) -> None:
        """End the loop body: close the values at its head and give names their value after the loop."""
        if not self.scope.dead:
            frame.backs.append(changes(self.scope, frame.head))
        self.frames.pop()
        for name, value in self.loop_phis.get(frame.number, ()):
            backs = dict.fromkeys(layer[name] for layer in frame.backs if layer.get(name, value) != value)
            if backs:
                entry = self.ops[value][1]
                self.ops[value] = (LOOP, entry, frame.number, tuple(backs))
        old = self.loops[frame.number]
        self.loops[frame.number] = Loop(old.parent, old.start, len(self.ops))
        assert frame.head.parent is not None
        self.scope = frame.head.parent
        for name in all_names([*frame.backs, *frame.breaks]):
            self._exit(name, frame)

    def _exit(self, name: str, frame: LoopFrame) -> None:
        if "." in name:
            self.scope.values[name] = 0
            return
        head = frame.head.values.get(name)
        before = self._before(name) if head is None else head
        ends = [layer[name] for layer in [*frame.backs, *frame.breaks] if name in layer]
        values = tuple(value for value in dict.fromkeys([before, *ends]) if value)
        value = self.emit((EXIT, values, frame.number))
        self.scope.values[name] = value
        self.history[name].append(value)
        self.names.setdefault(value, name)

    def jump(self, *, again: bool) -> None:
        """`continue` (again) or `break`."""
        if self.frames:
            frame = self.frames[-1]
            (frame.backs if again else frame.breaks).append(changes(self.scope, frame.head))
        self.depart(len(self.frames))

    def depart(self, depth: int = 0, *, raising: bool = False) -> None:
        """Control leaves for somewhere outside of `depth` loops, through every `finally` on the way."""
        for final in self.finals:
            if final.depth >= depth and not (raising and final.catching):
                final.ways.append(changes(self.scope, final.base))
        self.scope.dead = True

    def finish(self, header: Header) -> FunctionIR:
        """The function, once its body and its nested functions are lowered."""
        return FunctionIR(
            *header[:-1],
            ops=tuple(self.ops),
            spans=self.ledger.spans(self.nodes),
            names=self.names,
            returns=tuple(dict.fromkeys(self.returns)),
            yields=tuple(dict.fromkeys(self.yields)),
            loops=tuple(self.loops),
            variables=self._variables(),
            abstract=header.abstract,
            hints=self.hints,
            reached=self.reached,
        )

    def _variables(self) -> dict[str, tuple[int, ...]]:
        if self.outer is None:
            return {name: (value,) for name, value in self.scope.values.items() if value}
        return {name: tuple(dict.fromkeys(self.history.get(name, ()))) for name in sorted(self.captured)}
