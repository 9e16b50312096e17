"""Whole-program flow of derived text: link, find the summarizer sites, follow what they write.

solution = solve(modules, load_models())
solution.arrivals[0].flows[0].steps      where it was written, kept, read, and the site that it reaches
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ctxlint.ir import ModuleIR
from ctxlint.models import Models
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.engine import Engine
from ctxlint.taint.flows import outer_calls, ways
from ctxlint.taint.program import Program
from ctxlint.taint.sites import SiteFinder
from ctxlint.taint.solution import Arrival, Flow, SitePlace, Solution
from ctxlint.taint.telling import Teller
from ctxlint.taint.values import Values

__all__ = ["Arrival", "Flow", "SitePlace", "Solution", "solve"]

_NO_TEXTS: Mapping[str, str] = {}


def solve(
    modules: Sequence[ModuleIR],
    models: Models,
    texts: Mapping[str, str] = _NO_TEXTS,  # noqa: ARG001 - prompt files: the seam stands, the reader comes later
) -> Solution:
    """Every summarizer site that derived text reaches.

    Args:
        modules: All files of the run, in any order: the answer is the same.
        models: What the calls of frameworks and clients mean.
        texts: Prompt files by path, for prompts that the code reads from them.
    """
    if not any(module.speaks for module in modules):
        return Solution()
    program = Program(modules)
    tools = frozenset(name for entry in models.llm for name in entry.classes) | models.flow.template_classes
    graph = CallGraph(program, Values(program, tools), models)
    finder = SiteFinder(graph)
    sites = finder.find()
    engine = Engine(graph, sites, finder)
    engine.run()
    teller = Teller(engine, sites)
    outer = outer_calls(engine)
    arrivals = tuple(
        Arrival(
            teller.site(site),
            tuple(teller.flow(way) for way in found),
            teller.related(outer.get(site, ()), site),
        )
        for site, found in ways(engine).items()
    )
    return Solution(tuple(map(teller.site, sites)), arrivals, engine.exhausted, engine.steps)
