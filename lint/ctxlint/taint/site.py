"""A summarizer site: a call that lets a model rewrite context."""

from __future__ import annotations

from dataclasses import dataclass

from ctxlint.finding import Confidence


@dataclass(frozen=True, slots=True)
class Site:
    """A call that summarizes. `why` tells a reader what shows it; `level` counts the wrappers below it."""

    function: int
    call: int
    why: str
    confidence: Confidence
    level: int = 0
