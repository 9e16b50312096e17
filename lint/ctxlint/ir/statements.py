"""Statements: assignments, jumps, and where control flow splits and meets."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from ctxlint.ir import switches, targets
from ctxlint.ir.annotations import annotation_text
from ctxlint.ir.builder import EXPRESSIONS, STATEMENTS, Builder
from ctxlint.ir.conditions import pattern_claims
from ctxlint.ir.expressions import assume, assume_not, note_claims, test_value
from ctxlint.ir.ops import ATTR, BUILD, CALL, CONCAT, ELEMENT, FORMAT, IMPORT, ITEM
from ctxlint.ir.patterns import bind_pattern, takes_all
from ctxlint.ir.reached import reached
from ctxlint.ir.scope import FinalFrame, Scope, changes

_CASES = 100
"""So many cases of one `match` tell something about those below them."""
_TESTS = frozenset({ast.BoolOp, ast.UnaryOp, ast.Compare})
_HINTED = frozenset({ATTR, BUILD, CALL, ELEMENT, ITEM})
"""What may be of any class, so that the annotation of the variable tells something."""


def _expression(builder: Builder, node: ast.Expr) -> None:
    value = node.value
    if type(value) is ast.Constant:
        return
    builder.effect = value.value if type(value) is ast.Await else value
    EXPRESSIONS[type(value)](builder, value)


def _assign(builder: Builder, node: ast.Assign) -> None:
    given = node.value
    value = EXPRESSIONS[type(given)](builder, given)
    if builder.options and type(given) in _TESTS and value == len(builder.ops) - 1:
        builder.tests[value] = reached(builder, given, wanted=False), reached(builder, given, wanted=True)
    for target in node.targets:
        if type(target) is ast.Name:
            builder.bind(target.id, value, target)
        else:
            targets.assign(builder, target, value)


def _alias(builder: Builder, node: Any) -> None:
    """`type Row = dict[str, int]`, where the running Python reads that: as the assignment that others make of it."""
    builder.bind(node.name.id, builder.expr(node.value), node.name)


def _annotated(builder: Builder, node: ast.AnnAssign) -> None:
    target = node.target
    if type(target) is ast.Attribute and builder.class_index >= 0:
        holder = target.value
        if type(holder) is ast.Name and holder.id == "self":
            hints = builder.ledger.classes[builder.class_index].hints
            hints.setdefault(target.attr, annotation_text(node.annotation))
    if node.value is not None:
        value = builder.expr(node.value)
        if type(target) is ast.Name and builder.ops[value][0] in _HINTED:
            builder.hints[value] = annotation_text(node.annotation)
        builder.store(node.target, value)


def _augmented(builder: Builder, node: ast.AugAssign) -> None:
    old = builder.expr(node.target)
    value = builder.expr(node.value)
    kind = FORMAT if isinstance(node.op, ast.Mod) else CONCAT
    total = builder.emit((kind, (old, value)), node)
    if isinstance(node.target, ast.Name):
        builder.store(node.target, total)
    else:
        builder.put_back(node.target, total)


def _return(builder: Builder, node: ast.Return) -> None:
    if node.value is not None:
        value = test_value(builder, node.value)
        given = switches.between(builder.scope, None) if builder.flags else ()
        builder.returns.append(switches.under(builder, value, given))
    builder.depart()


def _raise(builder: Builder, node: ast.Raise) -> None:
    if node.exc is not None:
        builder.expr(node.exc)
    if node.cause is not None:
        builder.expr(node.cause)
    builder.depart(raising=True)


def _continue(builder: Builder, _node: ast.Continue) -> None:
    builder.jump(again=True)


def _break(builder: Builder, _node: ast.Break) -> None:
    builder.jump(again=False)


def _if(builder: Builder, node: ast.If) -> None:
    base = builder.scope
    ends: list[Scope] = []
    current: ast.If | None = node
    # A long chain of `elif` is a list, not a tower.
    while current is not None:
        test: ast.If = current
        asked = test.test
        EXPRESSIONS[type(asked)](builder, asked)
        around = builder.scope
        otherwise = Scope(around)
        builder.scope = Scope(around)
        found = assume(builder, test.test, wanted=True)
        builder.block(test.body)
        ends.append(builder.scope)
        builder.scope = otherwise
        assume_not(builder, test.test, found)
        rest = test.orelse
        current = rest[0] if len(rest) == 1 and type(rest[0]) is ast.If else None
        if current is None and rest:
            builder.block(rest)
    ends.append(builder.scope)
    builder.merge(base, ends)


def _while(builder: Builder, node: ast.While) -> None:
    frame = builder.enter_loop(node)
    builder.expr(node.test)
    assume(builder, node.test, wanted=True)
    builder.block(node.body)
    builder.leave_loop(frame)
    builder.block(node.orelse)


def _for(builder: Builder, node: ast.For | ast.AsyncFor) -> None:
    source = builder.expr(node.iter)
    frame = builder.enter_loop(node)
    builder.store(node.target, builder.emit((ELEMENT, source), node.target))
    builder.block(node.body)
    builder.leave_loop(frame)
    builder.block(node.orelse)


def _with(builder: Builder, node: ast.With | ast.AsyncWith) -> None:
    for item in node.items:
        value = builder.expr(item.context_expr)
        if item.optional_vars is not None:
            builder.store(item.optional_vars, value)
    builder.block(node.body)


def _try(builder: Builder, node: ast.Try) -> None:
    base = builder.scope
    final = FinalFrame(base, len(builder.frames), catching=bool(node.handlers))
    if node.finalbody:
        builder.finals.append(final)
    # A handler sees any state between the start and the end of the body: join the two.
    builder.scope = builder.branch()
    builder.block(node.body)
    body = builder.scope
    final.catching = False
    ends: list[Scope] = []
    for handler in node.handlers:
        start = Scope(base)
        partial = Scope(start)
        partial.values.update(body.values)
        builder.merge(start, [partial, Scope(start)])
        builder.scope = start
        if handler.type is not None:
            builder.expr(handler.type)
        if handler.name:
            builder.bind(handler.name, 0, handler)
        builder.block(handler.body)
        ends.append(builder.scope)
    builder.scope = body
    builder.block(node.orelse)
    builder.merge(base, [builder.scope, *ends])
    if node.finalbody:
        builder.finals.pop()
        _finally(builder, node.finalbody, final)


def _finally(builder: Builder, body: Sequence[ast.stmt], final: FinalFrame) -> None:
    base = final.base
    dead, base.dead = base.dead, False
    # It sees what those that leave have assigned; who goes on behind it sees of that only what it did itself.
    around = builder.scope = Scope(base)
    builder.meet(final.ways if dead else [{}, *final.ways])
    builder.scope = builder.branch()
    builder.block(body)
    base.values.update(changes(builder.scope, around))
    base.dead = dead or builder.scope.dead
    builder.scope = base


def _match(builder: Builder, node: ast.Match) -> None:
    subject = builder.expr(node.subject)
    base = builder.scope
    ends: list[Scope] = []
    if not any(case.guard is None and takes_all(case.pattern) for case in node.cases):
        ends.append(builder.branch())
    past: list[ast.pattern] = []
    for case in node.cases:
        builder.scope = base
        builder.scope = builder.branch()
        note_claims(builder, pattern_claims(node.subject, case.pattern, past), case.pattern)
        if case.guard is None and len(past) < _CASES:
            past.append(case.pattern)
        bind_pattern(builder, case.pattern, subject)
        if case.guard is not None:
            builder.expr(case.guard)
            assume(builder, case.guard, wanted=True)
        builder.block(case.body)
        ends.append(builder.scope)
    builder.merge(base, ends)


def _import(builder: Builder, node: ast.Import) -> None:
    for alias in node.names:
        module = alias.name if alias.asname else alias.name.partition(".")[0]
        builder.bind(alias.asname or module, builder.emit((IMPORT, module, ""), node), node)


def _import_from(builder: Builder, node: ast.ImportFrom) -> None:
    module = "." * node.level + (node.module or "")
    for alias in node.names:
        if alias.name == "*":
            builder.ledger.stars.append(module)
        else:
            if alias.asname and alias.asname != alias.name:
                builder.ledger.renamed[alias.name, alias.asname] = None
            builder.bind(alias.asname or alias.name, builder.emit((IMPORT, module, alias.name), node), node)


def _global(builder: Builder, node: ast.Global) -> None:
    builder.declared.update(dict.fromkeys(node.names, True))


def _nonlocal(builder: Builder, node: ast.Nonlocal) -> None:
    builder.declared.update(dict.fromkeys(node.names, False))


def _delete(builder: Builder, node: ast.Delete) -> None:
    for target in node.targets:
        targets.delete(builder, target)


def _assert(builder: Builder, node: ast.Assert) -> None:
    builder.expr(node.test)
    if node.msg is not None:
        base, builder.scope = builder.scope, builder.branch()
        builder.expr(node.msg)
        builder.scope = base
    assume(builder, node.test, wanted=True)


def visible(body: Sequence[ast.stmt]) -> Sequence[ast.stmt]:
    """A body without its docstring."""
    first = body[0] if body else None
    if type(first) is ast.Expr and type(first.value) is ast.Constant and type(first.value.value) is str:
        return body[1:]
    return body


STATEMENTS.update(
    {
        ast.Expr: _expression,
        ast.Assign: _assign,
        ast.AnnAssign: _annotated,
        ast.AugAssign: _augmented,
        ast.Return: _return,
        ast.Raise: _raise,
        ast.Continue: _continue,
        ast.Break: _break,
        ast.If: _if,
        ast.While: _while,
        ast.For: _for,
        ast.AsyncFor: _for,
        ast.With: _with,
        ast.AsyncWith: _with,
        ast.Try: _try,
        ast.TryStar: _try,
        ast.Match: _match,
        ast.Import: _import,
        ast.ImportFrom: _import_from,
        ast.Global: _global,
        ast.Nonlocal: _nonlocal,
        ast.Delete: _delete,
        ast.Assert: _assert,
    }
)
STATEMENTS.update({getattr(ast, name): _alias for name in ("TypeAlias",) if hasattr(ast, name)})
