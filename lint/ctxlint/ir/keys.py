"""What of an expression can be told without lowering it: the key of a subscript, and how a holder is written."""

from __future__ import annotations

import ast
from typing import Final

_WIDTH: Final = 1 << 63
_DEPTH: Final = 6
NAMED: Final = "$"
"""In front of the name of a constant, where its value is not known: `state[MEMO]` has the key `$MEMO`."""


def is_plain(value: object) -> bool:
    """The constant is a text or a number that can be written: Python refuses to print an int of 5000 digits."""
    return isinstance(value, str) or (isinstance(value, int) and -_WIDTH < value < _WIDTH)


def is_constant(node: ast.expr) -> bool:
    """A literal, with or without a sign: nothing happens in it."""
    if type(node) is ast.UnaryOp:
        node = node.operand
    return type(node) is ast.Constant


def key_of(node: ast.expr) -> str | int | None:
    """The constant key of a subscript, `$NAME` for a named constant, None when it is not known."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str | int) and is_plain(node.value) else None
    name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
    return f"{NAMED}{name}" if name.isupper() else None


def spelled(node: ast.expr) -> str:
    """An expression as a report may show it: names, attributes and constant keys, dots for the rest.

    Not `ast.unparse`, whose text differs between versions of Python and which fails on huge numbers.
    """
    parts: list[str] = []
    for _ in range(_DEPTH):
        if isinstance(node, ast.Attribute):
            parts.append(f".{node.attr}")
            node = node.value
        elif isinstance(node, ast.Subscript):
            key = key_of(node.slice)
            inner = node.slice.id if isinstance(node.slice, ast.Name) else "..." if key is None else repr(key)
            parts.append(f"[{inner}]")
            node = node.value
        elif isinstance(node, ast.Call):
            parts.append("(...)" if node.args or node.keywords else "()")
            node = node.func
        else:
            break
    parts.append(node.id if isinstance(node, ast.Name) else "...")
    return "".join(reversed(parts))
