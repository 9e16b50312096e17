"""From source text to a syntax tree. Nothing here runs, imports or changes what it reads."""

from __future__ import annotations

from ctxlint.syntax.parse import parse_module

__all__ = ["parse_module"]
