"""Assignment: the variable, field or element on the left holds the value from here on.

self.turns = turns          SET_ATTR on self: kept in the object; a read further down sees `turns`
note["text"] = summary      SET_ITEM makes a new `note`, and the variable holds that one
turns[:k] = [summary]       SET_ITEM with key PART: the old elements may still be there
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ctxlint.ir.ops import DELETE, ITEM, PART, SET_ATTR, SET_CAPTURE, SET_GLOBAL, SET_ITEM, SLICE, WHOLE

if TYPE_CHECKING:
    from ctxlint.ir.builder import Builder


def assign(builder: Builder, target: ast.expr, value: int) -> None:
    """Assign `value` to `target`."""
    if isinstance(target, ast.Name):
        _variable(builder, target, value)
    elif isinstance(target, ast.Attribute):
        _field(builder, target, value)
    elif isinstance(target, ast.Subscript):
        _element(builder, target, value)
    elif isinstance(target, ast.Tuple | ast.List):
        for index, part in enumerate(target.elts):
            if isinstance(part, ast.Starred):
                assign(builder, part.value, builder.emit((SLICE, value), part))
            else:
                assign(builder, part, builder.emit((ITEM, value, index), part))
    elif isinstance(target, ast.Starred):
        assign(builder, target.value, value)


def _variable(builder: Builder, target: ast.Name, value: int) -> None:
    declared = builder.declared.get(target.id)
    if declared is None:
        builder.bind(target.id, value)
        return
    if declared:
        builder.emit((SET_GLOBAL, target.id, value), target)
    else:
        owner = builder.owner_of(target.id)
        if owner is not None:
            owner.captured.add(target.id)
            builder.emit((SET_CAPTURE, target.id, owner.index, value), target)
    # From here on this function knows what it put there, until control flow meets another way.
    builder.scope.values[target.id] = value


def _field(builder: Builder, target: ast.Attribute, value: int) -> None:
    base = builder.expr(target.value)
    changed = builder.emit((SET_ATTR, base, target.attr, value), target)
    if isinstance(target.value, ast.Name):
        root = target.value.id
        builder.names.setdefault(value, f"{root}.{target.attr}")
        if root != builder.receiver and builder.known(root):
            builder.rebind(root, changed)
        if builder.known(root):
            builder.bind(f"{root}.{target.attr}", value)
    else:
        _upward(builder, target.value, changed)


def _element(builder: Builder, target: ast.Subscript, value: int) -> None:
    base = builder.expr(target.value)
    key: str | int | None = None
    if isinstance(target.slice, ast.Slice):
        bounds = (target.slice.lower, target.slice.upper)
        key = WHOLE if bounds == (None, None) else PART
    elif isinstance(target.slice, ast.Constant) and isinstance(target.slice.value, str | int):
        key = target.slice.value
        builder.names.setdefault(value, f"{ast.unparse(target.value)}[{key!r}]")
    elif not isinstance(target.slice, ast.UnaryOp):
        builder.expr(target.slice)
    _upward(builder, target.value, builder.emit((SET_ITEM, base, key, value), target))


def _upward(builder: Builder, holder: ast.expr, changed: int) -> None:
    if isinstance(holder, ast.Name):
        if holder.id != builder.receiver and builder.known(holder.id):
            builder.rebind(holder.id, changed)
    elif isinstance(holder, ast.Attribute | ast.Subscript):
        assign(builder, holder, changed)


def delete(builder: Builder, target: ast.expr) -> None:
    """`del target`."""
    if isinstance(target, ast.Subscript):
        base = builder.expr(target.value)
        key = target.slice.value if isinstance(target.slice, ast.Constant) else None
        whole = isinstance(target.slice, ast.Slice) and target.slice.lower is None and target.slice.upper is None
        changed = builder.emit((DELETE, base, WHOLE if whole else key), target)
        _upward(builder, target.value, changed)
    elif isinstance(target, ast.Name):
        builder.scope.values[target.id] = 0
    elif isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            delete(builder, part)
