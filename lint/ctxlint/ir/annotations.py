"""Annotations as the names that stand in them."""

from __future__ import annotations

import ast
import re

from ctxlint.ir.conditions import dotted

_QUOTED = re.compile(r"[A-Za-z_][\w.]*")
"""The names in an annotation that is written as a text."""


def annotation_text(node: ast.expr | None) -> str:
    """The names of an annotation, outermost first, separated by spaces: `list[Note] | None` is "list Note"."""
    if node is None:
        return ""
    if type(node) is ast.Name:
        return node.id
    names: list[str] = []
    pending = [node]
    while pending:
        current = pending.pop()
        if type(current) is ast.Name:
            names.append(current.id)
        elif isinstance(current, ast.Attribute):
            names.append(dotted(current))
        elif isinstance(current, ast.Constant) and isinstance(current.value, str):
            names.extend(_QUOTED.findall(current.value))
        elif isinstance(current, ast.Subscript):
            pending.extend((current.slice, current.value))
        elif isinstance(current, ast.BinOp):
            pending.extend((current.right, current.left))
        elif isinstance(current, ast.Tuple):
            pending.extend(reversed(current.elts))
    return " ".join(name for name in names if name)
