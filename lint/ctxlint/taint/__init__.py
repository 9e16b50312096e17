"""Whole-program flow of derived text: link, find the summarizer sites, follow what they write.

solution = solve(modules, load_models())
solution.arrivals[0].flows[0].steps      where it was written, kept, read, and the site that it reaches
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ctxlint.ir import ModuleIR
from ctxlint.ir.vocabulary import VOCABULARY
from ctxlint.models import Models
from ctxlint.taint.callgraph import CallGraph
from ctxlint.taint.engine import Engine
from ctxlint.taint.flows import ways
from ctxlint.taint.insight import Insight
from ctxlint.taint.originals import extends, originals_of
from ctxlint.taint.outward import OuterCalls
from ctxlint.taint.program import Program
from ctxlint.taint.sites import Site, SiteFinder
from ctxlint.taint.solution import Arrival, Carrying, Flow, SitePlace, Solution
from ctxlint.taint.telling import Teller
from ctxlint.taint.textfiles import PromptFiles
from ctxlint.taint.values import Values

__all__ = ["Arrival", "Carrying", "Flow", "SitePlace", "Solution", "solve"]

_NO_TEXTS: Mapping[str, str] = {}


def solve(
    modules: Sequence[ModuleIR],
    models: Models,
    texts: Mapping[str, str] = _NO_TEXTS,
    *,
    speaks: bool = True,
) -> Solution:
    """Every summarizer site that derived text reaches.

    Args:
        modules: All files of the run, in any order: the answer is the same.
        models: What the calls of frameworks and clients mean.
        texts: Prompt files by path, for prompts that the code reads from them.
        speaks: Some module holds a word about summaries (`ctxlint.ir.vocabulary`).
    """
    if not speaks and not PromptFiles(texts).speak(VOCABULARY):
        return Solution()
    program = Program(modules, texts)
    tools = frozenset(name for entry in models.llm for name in entry.classes) | models.flow.template_classes
    graph = CallGraph(program, Values(program, tools, makers=_makers(models)), models)
    finder = SiteFinder(graph)
    sites = finder.find()
    engine = Engine(graph, sites, finder)
    engine.run()
    teller = Teller(engine, sites)
    return Solution(
        tuple(map(teller.site, sites)),
        tuple(_arrivals(engine, sites)),
        engine.exhausted,
        engine.steps,
        tuple(modules),
        Insight(engine, sites, teller),
    )


def _arrivals(engine: Engine, sites: dict[tuple[int, int], Site]) -> Iterator[Arrival]:
    teller, outer = Teller(engine, sites), OuterCalls(engine)
    for site, found in ways(engine):
        told = teller.flows(found)
        flows = tuple(flow for _, flow in told)
        yield Arrival(
            teller.site(site),
            flows,
            teller.related(outer.of(site, [way for way, _ in told]), site),
            originals_of(engine, site, flows[0].carrier),
            extends(engine, site),
        )


def _makers(models: Models) -> frozenset[str]:
    """Documented functions that give an object, as classes do: `boto3.client`, `transformers.pipeline`."""
    classes = {name for entry in models.llm for name in entry.classes} | {"re.compile", "regex.compile"}
    return frozenset(name for name in classes if name.rpartition(".")[0] and name.rpartition(".")[2][:1].islower())
