r"""The rule over one libcst module, with the nodes that it speaks of: for codemods, editors and other libcst tools.

    module = libcst.parse_module("memo = ''\nwhile True:\n    memo = llm.summarize(memo)\n")
    [found] = check_module(module)
    found.finding.code      "CTX001"
    found.node              the libcst.Call of `llm.summarize(memo)`, a node of the module that was passed in

Rule and engine agree by construction: the module's own code goes through the one lowering and the one solver that
`ctxlint PATH` uses, and each position is then looked up among libcst's. Both count lines from 1 and columns from 0 in
characters. Text that comes back through another file is not seen here: there is only one file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from ctxlint.errors import UsageError
from ctxlint.finding import Confidence, Finding, Place
from ctxlint.ir import lower_module
from ctxlint.models import Models, load_models
from ctxlint.rules import check, unused_suppressions
from ctxlint.suppress import apply
from ctxlint.syntax import parse_module
from ctxlint.taint import solve

try:
    import libcst
    from libcst.metadata import CodeRange, MetadataWrapper, PositionProvider
except ImportError as error:
    raise UsageError(
        'the libcst rule needs libcst, which is not installed; run: pip install "ctxcontracts[lint]"'
    ) from error


@dataclass(frozen=True, slots=True)
class NodeFinding:
    """A finding and its nodes in the module that was checked.

    `node` is the summarizer call that the finding stands at. `steps` runs beside `finding.flows[0]`, with None where
    a step has no node of its own (such as a loop's next round).
    """

    finding: Finding
    node: libcst.CSTNode
    steps: tuple[libcst.CSTNode | None, ...] = ()


def check_module(
    module: libcst.Module,
    *,
    path: str = "module.py",
    models: Models | None = None,
    min_confidence: Confidence = Confidence.MEDIUM,
    select: Collection[str] | None = None,
) -> list[NodeFinding]:
    """The findings in `module`, in the order of the file, those suppressed by a comment left out.

    Args:
        module: the module to check. It is not changed, and it must not hold one node in two places.
        path: what findings call the file.
        models: what the calls of frameworks mean; the built-in models when left out.
        min_confidence: how sure a finding must be.
        select: the codes of the rules that run; those that are on by default when left out.

    Raises:
        UnreadableError: when the code uses syntax that the running Python does not know.
    """
    code = module.code
    ir = lower_module(parse_module(code, path, newest=True), path=path, source=code)
    solution = solve([ir], load_models() if models is None else models)
    reported = check(solution, select)
    sure = [finding for finding in reported if finding.confidence.at_least(min_confidence)]
    verdicts = apply(sure, {path: code}, [finding for finding in reported if finding not in sure])
    unused = () if solution.exhausted else unused_suppressions(verdicts.unused, select)
    found = sorted([*verdicts.kept, *unused], key=lambda finding: finding.order)
    if not found:
        return []
    nodes = _Nodes(module)
    return [NodeFinding(finding, nodes.call(finding.place), nodes.steps(finding)) for finding in found]


class _Nodes:
    """The nodes of a module by the region that they cover."""

    def __init__(self, module: libcst.Module) -> None:
        self._module = module
        # The wrapper would copy the module to be safe from shared nodes; callers want their own nodes back.
        positions = MetadataWrapper(module, unsafe_skip_copy=True).resolve(PositionProvider)
        self._regions: Mapping[libcst.CSTNode, CodeRange] = positions
        self._by_region: dict[tuple[int, int, int, int], libcst.CSTNode] = {}
        for node, region in positions.items():
            key = (region.start.line, region.start.column, region.end.line, region.end.column)
            known = self._by_region.get(key)
            # A statement, its expression and an argument around it cover the same text; the expression is meant.
            if known is None or (isinstance(node, libcst.BaseExpression) and not isinstance(known, libcst.Call)):
                self._by_region[key] = node

    def at(self, place: Place) -> libcst.CSTNode | None:
        """The expression that covers exactly `place`, else another node that does."""
        return self._by_region.get((place.line, place.column, place.end_line, place.end_column))

    def call(self, place: Place) -> libcst.CSTNode:
        """The node of a finding; the smallest one around it where none fits exactly."""
        exact = self.at(place)
        return exact if exact is not None else self._around(place)

    def steps(self, finding: Finding) -> tuple[libcst.CSTNode | None, ...]:
        """The nodes of the shortest path."""
        return tuple(self.at(step.place) for step in finding.flows[0]) if finding.flows else ()

    def _around(self, place: Place) -> libcst.CSTNode:
        start, end = (place.line, place.column), (place.end_line, place.end_column)
        smallest: libcst.CSTNode = self._module
        best = (0, 0)
        for node, region in self._regions.items():
            first = (region.start.line, region.start.column)
            if first <= start and end <= (region.end.line, region.end.column) and first >= best:
                smallest, best = node, first
        return smallest
