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
        elif type(current) is ast.Subscript:
            pending += (current.slice, current.value)
        elif type(current) is ast.BinOp:
            pending += (current.right, current.left)
        elif type(current) is ast.Attribute:
            names.append(dotted(current))
        elif type(current) is ast.Tuple:
            pending += current.elts[::-1]
        elif type(current) is ast.Constant and type(current.value) is str:
            names.extend(_QUOTED.findall(current.value))
    return " ".join(filter(None, names))
