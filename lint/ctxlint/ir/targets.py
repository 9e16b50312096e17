"""Assignment: the variable, field or element on the left holds the value from here on.

self.turns = turns          SET_ATTR on self: kept in the object; a read further down sees `turns`
note["text"] = summary      SET_ITEM makes a new `note`, and the variable holds that one
turns[:k] = [summary]       SET_ITEM with key PART: the old elements may still be there
"""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from ctxlint.ir.keys import is_constant, key_of, spelled
from ctxlint.ir.ops import DELETE, ITEM, KEY, PART, SET_ATTR, SET_ITEM, SLICE, WHOLE
from ctxlint.ir.tasks import is_task

if TYPE_CHECKING:
    from ctxlint.ir.builder import Builder


def assign(builder: Builder, target: ast.expr, value: int) -> None:
    """Assign `value` to `target`."""
    if type(target) is ast.Name:
        builder.bind(target.id, value, target)
    elif isinstance(target, (ast.Attribute, ast.Subscript)):
        builder.base(target.value)
        if isinstance(target, ast.Subscript):
            _index(builder, target.slice)
        _hold(builder, target, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        starred = False
        for index, part in enumerate(target.elts):
            if isinstance(part, ast.Starred):
                assign(builder, part.value, builder.emit((SLICE, value, None if starred else index), part))
                starred = True
            else:
                # Behind a star, the position counts from an end that nobody knows.
                assign(builder, part, builder.emit((ITEM, value, None if starred else index), part))
    elif isinstance(target, ast.Starred):
        assign(builder, target.value, value)


def change(builder: Builder, target: ast.expr, value: int) -> None:
    """Let the variable, field or element that `target` reads hold `value`: the same object, changed in place.

    `target` has been lowered: the calls in it are not made a second time.
    """
    if type(target) is ast.Name:
        _root(builder, target.id, value)
    elif isinstance(target, (ast.Attribute, ast.Subscript)):
        _hold(builder, target, value)


def _index(builder: Builder, node: ast.expr) -> None:
    if not is_constant(node):
        value = builder.expr(node)
        if type(node) is ast.Call:
            builder.lowered[id(node)] = value


def _hold(builder: Builder, target: ast.Attribute | ast.Subscript, value: int) -> None:
    """Let a part, and with it everything that it is a part of, be what it is after the change."""
    holder: ast.expr = target
    while isinstance(holder, (ast.Attribute, ast.Subscript)):
        base = builder.again(holder.value)
        if isinstance(holder, ast.Attribute):
            changed = builder.emit((SET_ATTR, base, holder.attr, value), holder)
        else:
            key = _slot(holder.slice)
            if isinstance(holder.slice, ast.Constant) and key is not None:
                builder.names.setdefault(value, f"{spelled(holder.value)}[{key!r}]")
            asked = builder.again(holder.slice) if key is None and isinstance(holder.slice, ast.Name) else 0
            task = asked or builder.lowered.get(id(holder.slice))
            if is_task(builder.ops, task):
                base = builder.emit((SET_ITEM, base, KEY, task), holder)
            changed = builder.emit(
                (SET_ITEM, base, key, value, asked) if asked else (SET_ITEM, base, key, value), holder
            )
        if isinstance(holder.value, ast.Name):
            _root(builder, holder.value.id, changed)
            if isinstance(holder, ast.Attribute):
                _known_field(builder, holder.value.id, holder.attr, value)
        holder, value = holder.value, changed


def _root(builder: Builder, name: str, changed: int) -> None:
    held = builder.known(name) if name != builder.receiver else None
    if held:
        builder.rebind(name, changed, held)


def _known_field(builder: Builder, root: str, attribute: str, value: int) -> None:
    builder.names.setdefault(value, f"{root}.{attribute}")
    if builder.known(root):
        builder.bind(f"{root}.{attribute}", value)


def _slot(node: ast.expr) -> str | int | None:
    if isinstance(node, ast.Slice):
        return WHOLE if node.lower is None and node.upper is None else PART
    return key_of(node)


def delete(builder: Builder, target: ast.expr) -> None:
    """`del target`."""
    if isinstance(target, ast.Subscript):
        base = builder.base(target.value)
        _index(builder, target.slice)
        key = _slot(target.slice)
        changed = builder.emit((DELETE, base, None if key == PART else key), target)
        change(builder, target.value, changed)
    elif isinstance(target, ast.Name):
        builder.scope.values[target.id] = 0
    elif isinstance(target, ast.Tuple | ast.List):
        for part in target.elts:
            delete(builder, part)
