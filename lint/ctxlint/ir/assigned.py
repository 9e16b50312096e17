"""Which names a body assigns, told without lowering it: they are local even where they are read further up."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

_PLAIN = frozenset({ast.Expr, ast.Return, ast.Raise, ast.Pass, ast.Break, ast.Continue, ast.Assert})
_DEFINITIONS = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef})


def assigned_names(body: Sequence[ast.stmt], *, walrus: bool) -> frozenset[str]:
    """The names that the statements of `body` bind, without those of nested functions and classes.

    Args:
        body: the statements of a function.
        walrus: look into expressions too, which takes longer; nested functions count there.
    """
    names: set[str] = set()
    pending = list(body)
    while pending:
        node = pending.pop()
        kind = type(node)
        if kind in _PLAIN:
            continue
        if type(node) is ast.Assign:
            for target in node.targets:
                if type(target) is ast.Name:
                    names.add(target.id)
                else:
                    names.update(target_names(target))
            continue
        names.update(_bound(node))
        if kind not in _DEFINITIONS:
            pending.extend(_inside(node))
    if walrus:
        found = (node for statement in body for node in ast.walk(statement))
        names.update(node.target.id for node in found if isinstance(node, ast.NamedExpr))
    return frozenset(names)


def target_names(target: ast.expr) -> Iterator[str]:
    """The variables that an assignment to `target` binds."""
    if isinstance(target, ast.Name):
        yield target.id
    elif isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            yield from target_names(part)
    elif isinstance(target, ast.Starred):
        yield from target_names(target.value)


def _inside(node: ast.stmt) -> Iterator[ast.stmt]:
    for part in ("body", "orelse", "finalbody"):
        yield from getattr(node, part, ())
    for part in ("handlers", "cases"):
        for way in getattr(node, part, ()):
            yield from way.body


def _bound(node: ast.stmt) -> Iterator[str]:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        yield node.name
    elif isinstance(node, ast.Import | ast.ImportFrom):
        yield from (alias.asname or alias.name.partition(".")[0] for alias in node.names)
    elif isinstance(node, ast.Try | ast.TryStar):
        yield from (handler.name for handler in node.handlers if handler.name)
    elif isinstance(node, ast.Match):
        yield from (name for case in node.cases for name in _captured(case.pattern))
    else:
        for target in _targets(node):
            yield from target_names(target)


def _targets(node: ast.stmt) -> Iterator[ast.expr]:
    if isinstance(node, ast.Assign | ast.Delete):
        yield from node.targets
    elif isinstance(node, ast.AugAssign | ast.AnnAssign | ast.For | ast.AsyncFor):
        yield node.target
    elif isinstance(node, ast.With | ast.AsyncWith):
        yield from (item.optional_vars for item in node.items if item.optional_vars is not None)


def _captured(pattern: ast.pattern) -> Iterator[str]:
    for part in ast.walk(pattern):
        name = part.rest if isinstance(part, ast.MatchMapping) else None
        if isinstance(part, ast.MatchAs | ast.MatchStar):
            name = part.name
        if name:
            yield name
