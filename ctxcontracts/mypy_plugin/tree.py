"""The statements within a statement: mypy's own traversers are compiled, and no class can derive from them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from mypy.nodes import (
    Block,
    ClassDef,
    ForStmt,
    IfStmt,
    MatchStmt,
    Statement,
    TryStmt,
    WhileStmt,
    WithStmt,
)


def statements_below(statement: Statement) -> list[Statement]:
    """A statement and those in it, without those of functions within."""
    found = [statement]
    for node in found:
        blocks = _BLOCKS.get(type(node))
        if blocks is not None:
            for block in blocks(node):
                if block is not None:
                    found += block.body
    return found


_BLOCKS: Final[Mapping[type[Statement], Callable[[Any], Iterable[Block | None]]]] = {
    Block: lambda node: (node,),
    IfStmt: lambda node: (*node.body, node.else_body),
    ForStmt: lambda node: (node.body, node.else_body),
    WhileStmt: lambda node: (node.body, node.else_body),
    WithStmt: lambda node: (node.body,),
    TryStmt: lambda node: (node.body, *node.handlers, node.else_body, node.finally_body),
    MatchStmt: lambda node: node.bodies,
    ClassDef: lambda node: (node.defs,),
}
"""The blocks of a statement, by its kind."""
