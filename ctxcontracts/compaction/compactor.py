"""The compactor: carries out the plan on a buffer, sync or async."""

from __future__ import annotations

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.buffer.claim import Tighter
from ctxcontracts.compaction.budget import Budget
from ctxcontracts.compaction.plan import Action, Prune, Rederive, Rewrite, View, actions
from ctxcontracts.compaction.policy import Policy
from ctxcontracts.compaction.report import CompactionReport
from ctxcontracts.errors import CtxContractsError, RewritePolicyError, StaleRewrite, SummaryRejected, WindowFullError
from ctxcontracts.spans import AsyncSummarizer, DerivedSpan, SourceId, Summarizer, is_derived

_PASSED_OVER = (SummaryRejected, StaleRewrite, RewritePolicyError)


class Compactor:
    """Keeps a buffer within its budget, by pruning first and never by summarizing a summary.

    Args:
        buffer: the buffer to keep small. The compactor holds no state of its own.
        budget: when to start and where to stop.
        policy: what may be touched.
    """

    def __init__(self, buffer: ContextBuffer, budget: Budget, *, policy: Policy | None = None) -> None:
        self.buffer = buffer
        self.budget = budget
        self.policy: Policy = policy or Policy()

    @property
    def needed(self) -> bool:
        """Whether the window is above the trigger."""
        return self.buffer.tokens > self.budget.trigger_tokens

    def compact(self, by: Summarizer[...], /) -> CompactionReport:
        """Brings the window from above the trigger down to the target. Below the trigger it does nothing.

        A rejected summary or a span that someone else holds is skipped and reported; the rest goes on.

        Args:
            by: makes each summary, from the originals of one segment.

        Raises:
            WindowFullError: when the window is still above the limit: what may not be touched fills it.
        """
        report = self._begin()
        if self.needed:
            for action in actions(self._view(), self.budget, self.policy):
                try:
                    if isinstance(action, Prune):
                        self._prune(action, report)
                    elif isinstance(action, Rewrite):
                        _count(action, self.buffer.rewrite(action.spans, by), report)
                    else:
                        _count(action, self.buffer.rederive(Tighter(action.spans), by), report)
                except _PASSED_OVER as error:
                    self._pass_over(action, error, report)
        return self._end(report)

    async def acompact(self, by: AsyncSummarizer[...], /) -> CompactionReport:
        """As `compact`, with an async summarizer; spans that arrive meanwhile are left alone.

        Raises:
            WindowFullError: when the window is still above the limit: what may not be touched fills it.
        """
        report = self._begin()
        if self.needed:
            for action in actions(self._view(), self.budget, self.policy):
                try:
                    if isinstance(action, Prune):
                        self._prune(action, report)
                    elif isinstance(action, Rewrite):
                        _count(action, await self.buffer.arewrite(action.spans, by), report)
                    else:
                        _count(action, await self.buffer.arederive(Tighter(action.spans), by), report)
                except _PASSED_OVER as error:
                    self._pass_over(action, error, report)
        return self._end(report)

    def _view(self) -> View:
        sizes: dict[SourceId, int] = {}

        def original_tokens(source: SourceId) -> int:
            if source not in sizes:
                sizes[source] = self.buffer.original(source).tokens
            return sizes[source]

        return View(lambda: self.buffer.spans, lambda: self.buffer.tokens, original_tokens)

    def _begin(self) -> CompactionReport:
        return CompactionReport(before=self.buffer.tokens, target=self.budget.target_tokens)

    def _prune(self, action: Prune, report: CompactionReport) -> None:
        left = self.buffer.prune(action.spans)
        report.pruned[action.stage] = report.pruned.get(action.stage, 0) + len(left)

    def _pass_over(self, action: Action, error: CtxContractsError, report: CompactionReport) -> None:
        """Notes that an action was not possible; the rest goes on.

        A span that another compaction rewrote since the plan looked is refused as a second rewrite: that is no fault
        of the plan. With all its spans still in the window it is one.
        """
        if isinstance(error, RewritePolicyError) and all(self.buffer.is_live(span.id) for span in action.spans):
            raise error
        report.skipped.append(str(error))

    def _end(self, report: CompactionReport) -> CompactionReport:
        report.after = self.buffer.tokens
        if report.after > self.budget.limit:
            fills = _fills(self.buffer)
            listed = ", ".join(f"{kind} {tokens}" for kind, tokens in fills.items())
            raise WindowFullError(
                f"the window still holds {report.after} tokens, over its limit of {self.budget.limit}: {listed}",
                fills=fills,
                instead="pin less, lower Policy.keep_recent, shorten what the tools return, or raise Budget.limit",
            )
        return report


def _count(action: Action, span: DerivedSpan, report: CompactionReport) -> None:
    if isinstance(action, Rewrite):
        report.rewritten += len(action.spans)
        report.derived.append(span.id)
    elif isinstance(action, Rederive):
        report.rederived.append(span.id)


def _fills(buffer: ContextBuffer) -> dict[str, int]:
    """Tokens of the window by kind of content, largest first."""
    fills: dict[str, int] = {}
    for span in buffer.spans:
        kind = "summaries" if is_derived(span) else "pinned" if span.pinned else f"from {span.origin}"
        fills[kind] = fills.get(kind, 0) + span.tokens
    return dict(sorted(fills.items(), key=lambda item: -item[1]))
