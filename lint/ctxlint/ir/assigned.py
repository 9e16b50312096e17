"""Which names a body assigns, told without lowering it: they are local even where they are read further up."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

_PLAIN = frozenset({ast.Expr, ast.Return, ast.Raise, ast.Pass, ast.Break, ast.Continue, ast.Assert})
_DEFINITIONS = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef})


def assigned_names(body: Sequence[ast.stmt]) -> frozenset[str]:
    """The names that the statements of `body` bind, without those of nested functions and classes.

    What `:=` binds is not among them: it can stand in any expression (see `walrus_names`).
    """
    names: set[str] = set()
    pending = list(body)
    while pending:
        node = pending.pop()
        if type(node) in _PLAIN:
            continue
        if type(node) is ast.Assign:
            for target in node.targets:
                if type(target) is ast.Name:
                    names.add(target.id)
                else:
                    names.update(target_names(target))
        elif type(node) is ast.If:
            pending += node.body
            pending += node.orelse
        else:
            names.update(_bound(node))
            if type(node) not in _DEFINITIONS:
                pending.extend(_inside(node))
    return frozenset(names)


def walrus_names(body: Sequence[ast.stmt]) -> frozenset[str]:
    """The names that `:=` binds anywhere in `body`; nested functions count."""
    found = (node for statement in body for node in ast.walk(statement))
    return frozenset(node.target.id for node in found if isinstance(node, ast.NamedExpr))


def before_walrus(source: str) -> frozenset[str] | None:
    """The words before a `:=` in a text, which costs less than to look for it in a tree; None when one is unclear."""
    words: set[str] = set()
    start = source.find(":=")
    while start >= 0:
        end = start
        while end and source[end - 1].isspace():
            end -= 1
        first = end
        while first and (source[first - 1].isalnum() or source[first - 1] == "_"):
            first -= 1
        word = source[first:end]
        if not word.isascii() or not word:
            return None
        words.add(word)
        start = source.find(":=", start + 2)
    return frozenset(words)


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
