"""The context buffer: prune, rewrite and re-derive spans without drift."""

from __future__ import annotations

from ctxcontracts.buffer.buffer import ContextBuffer
from ctxcontracts.buffer.rendered import Rendered
from ctxcontracts.buffer.verification import Verification

__all__ = ["ContextBuffer", "Rendered", "Verification"]
