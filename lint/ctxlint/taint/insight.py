"""What the engine knows when it has ended, for rules that ask for more than where derived text arrives.

for site in insight.sites: insight.place(*site)      every summarizer site, and where it stands
"""

from __future__ import annotations

from dataclasses import dataclass

from ctxlint.finding import Place
from ctxlint.ir import FunctionIR
from ctxlint.taint.engine import Engine
from ctxlint.taint.flows import SiteKey
from ctxlint.taint.sites import Site
from ctxlint.taint.telling import Teller


@dataclass(frozen=True, slots=True)
class Insight:
    """The engine of a solution, and its sites by function and call."""

    engine: Engine
    sites: dict[SiteKey, Site]
    teller: Teller

    def code(self, function: int) -> FunctionIR:
        """A function of the program."""
        return self.engine.program.functions[function]

    def place(self, function: int, value: int) -> Place:
        """Where a value is made."""
        return self.teller.place(function, value)
