"""Patterns of `match`: what a captured name holds is read from the subject.

case {"summary": text, **rest}:      text is ITEM subject "summary", rest is the subject
case [first, *others]:               first is ITEM subject 0, others is the subject
case Note(text=body):                body is ITEM subject "text"
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from ctxlint.ir.ops import ITEM

if TYPE_CHECKING:
    from ctxlint.ir.builder import Builder


def bind_pattern(builder: Builder, pattern: ast.pattern, subject: int) -> None:
    """Bind the names that a pattern captures when it matches `subject`."""
    bind = _PATTERNS.get(type(pattern))
    if bind is not None:
        bind(builder, pattern, subject)


def takes_all(pattern: ast.pattern) -> bool:
    """The pattern matches every subject: `_`, a bare name, or an alternative that does."""
    if isinstance(pattern, ast.MatchOr):
        return any(map(takes_all, pattern.patterns))
    return isinstance(pattern, ast.MatchAs) and (pattern.pattern is None or takes_all(pattern.pattern))


def _capture(builder: Builder, pattern: ast.MatchAs, subject: int) -> None:
    if pattern.pattern is not None:
        bind_pattern(builder, pattern.pattern, subject)
    if pattern.name:
        builder.bind(pattern.name, subject, pattern)


def _star(builder: Builder, pattern: ast.MatchStar, subject: int) -> None:
    if pattern.name:
        builder.bind(pattern.name, subject, pattern)


def _mapping(builder: Builder, pattern: ast.MatchMapping, subject: int) -> None:
    for key, part in zip(pattern.keys, pattern.patterns, strict=True):
        name = key.value if isinstance(key, ast.Constant) and isinstance(key.value, str) else None
        bind_pattern(builder, part, builder.emit((ITEM, subject, name), part))
    if pattern.rest:
        builder.bind(pattern.rest, subject, pattern)


def _sequence(builder: Builder, pattern: ast.MatchSequence, subject: int) -> None:
    starred = False
    for index, part in enumerate(pattern.patterns):
        if isinstance(part, ast.MatchStar):
            starred = True
            bind_pattern(builder, part, subject)
        else:
            bind_pattern(builder, part, builder.emit((ITEM, subject, None if starred else index), part))


def _class(builder: Builder, pattern: ast.MatchClass, subject: int) -> None:
    for part in pattern.patterns:
        bind_pattern(builder, part, builder.emit((ITEM, subject, None), part))
    for name, part in zip(pattern.kwd_attrs, pattern.kwd_patterns, strict=True):
        bind_pattern(builder, part, builder.emit((ITEM, subject, name), part))


def _or(builder: Builder, pattern: ast.MatchOr, subject: int) -> None:
    for part in pattern.patterns:
        bind_pattern(builder, part, subject)


_PATTERNS: Mapping[type, Callable[[Builder, Any, int], None]] = {
    ast.MatchAs: _capture,
    ast.MatchStar: _star,
    ast.MatchMapping: _mapping,
    ast.MatchSequence: _sequence,
    ast.MatchClass: _class,
    ast.MatchOr: _or,
}
