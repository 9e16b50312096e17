"""Comprehensions: a list of what the element is, and rounds where one round leaves something to the next.

[clean(note) for note in notes]                  BUILD (("[]", call),)     the rounds know nothing of each other
[memo := ask(memo + note) for note in notes]     a loop, as of a `for`     `memo` goes around, and is known behind it
[seen.append(note) for note in notes]            a loop: `seen` is another list in the next round
"""

from __future__ import annotations

import ast
from typing import cast

from ctxlint.ir.assigned import target_names
from ctxlint.ir.builder import Builder
from ctxlint.ir.calls import may_change
from ctxlint.ir.expressions import assume
from ctxlint.ir.ops import BUILD, ELEMENT, EXIT, IN_LIST, KEY
from ctxlint.ir.tasks import is_task

_LEAVES = frozenset({ast.Name, ast.Constant, ast.Load, ast.Store})
AnyComprehension = ast.ListComp | ast.SetComp | ast.GeneratorExp | ast.DictComp


def lower_comprehension(builder: Builder, node: AnyComprehension) -> int:
    """The collection that a comprehension makes; what it assigns and changes around it is kept."""
    hidden = _Hidden(builder, node)
    base = builder.scope
    source = builder.expr(node.generators[0].iter)
    frame = builder.enter_loop(node) if _has_rounds(node) else None
    if frame is None:
        builder.scope = builder.branch()
    value = _element(builder, node, source)
    key = builder.lowered.get(id(node), 0) if type(node) is ast.DictComp else 0
    hidden.restore(builder)
    if frame is None:
        builder.scope = base
    else:
        builder.leave_loop(frame)
        value = builder.emit((EXIT, (value,), frame.number))
    fields = ((IN_LIST, value), (KEY, key)) if key else ((IN_LIST, value),)
    return builder.emit((BUILD, fields, "each"), node)


def _element(builder: Builder, node: AnyComprehension, source: int) -> int:
    for position, generator in enumerate(node.generators):
        if position:
            source = builder.expr(generator.iter)
        builder.store(generator.target, builder.emit((ELEMENT, source), generator.target))
        for test in generator.ifs:
            builder.expr(test)
            assume(builder, test, wanted=True)
    if isinstance(node, ast.DictComp):
        key = builder.expr(node.key)
        if is_task(builder.ops, key):
            builder.lowered[id(node)] = key
        return builder.expr(node.value)
    return builder.expr(node.elt)


def _has_rounds(node: AnyComprehension) -> bool:
    pending: list[ast.AST] = [node]
    while pending:
        inner = pending.pop()
        if type(inner) is ast.NamedExpr:
            return True
        if type(inner) is ast.Call and type(inner.func) is ast.Attribute and may_change(inner.func.attr):
            return True
        for part in inner.__dict__.values():
            if type(part) is list:
                pending.extend(child for child in cast("list[object]", part) if isinstance(child, ast.AST))
            elif isinstance(part, ast.AST) and type(part) not in _LEAVES:
                pending.append(part)
    return False


class _Hidden:
    """What the function means by the names that are the comprehension's own for a while."""

    def __init__(self, builder: Builder, node: AnyComprehension) -> None:
        self.names = {name for generator in node.generators for name in target_names(generator.target)}
        self.new = self.names - builder.bound
        self.lengths = {name: len(builder.history.get(name, ())) for name in self.names}
        self.declared = {name: builder.declared.pop(name) for name in self.names if name in builder.declared}
        self.functions = len(builder.ledger.functions)

    def restore(self, builder: Builder) -> None:
        """Forget the comprehension's names, unless a function inside it still has to look for them."""
        values = builder.scope.values
        for name in [name for name in values if name.partition(".")[0] in self.names]:
            del values[name]
        builder.declared.update(self.declared)
        if len(builder.ledger.functions) == self.functions:
            builder.bound -= self.new
            for name, length in self.lengths.items():
                del builder.history.get(name, [])[length:]
