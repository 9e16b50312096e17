"""What a compaction does next: a generator of actions, which knows no store, no summarizer and no event loop.

    for action in actions(view, budget, policy):
        ...                              # Prune(spans) | Rewrite(spans) | Rederive(spans)

The order is the one rule: prune old tool output, then rewrite observed segments, then re-derive what is derived
already over unions of its originals, then prune informed turns (strict policy) and derived spans. The last two lose
what nothing in the window stands for, so they stop at the trigger and not at the target. No action reads derived
text. Each action removes spans or makes them fewer, and none is offered twice, so the plan ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import TypeAlias

from ctxcontracts.compaction.budget import Budget
from ctxcontracts.compaction.policy import Policy
from ctxcontracts.spans import AnySpan, DerivedSpan, ObservedSpan, Role, SourceId, is_derived, is_observed


class Stage(Enum):
    """The stages of a compaction, in their order."""

    TOOL_OUTPUTS = "prune old tool output"
    SEGMENTS = "rewrite observed segments"
    UNIONS = "re-derive unions from the originals"
    INFORMED = "prune informed turns"
    SUMMARIES = "prune derived spans"


@dataclass(frozen=True, slots=True)
class Prune:
    """Remove these spans."""

    stage: Stage
    spans: tuple[AnySpan, ...]


@dataclass(frozen=True, slots=True)
class Rewrite:
    """Summarize these originals."""

    spans: tuple[ObservedSpan, ...]


@dataclass(frozen=True, slots=True)
class Rederive:
    """Make one summary of the originals of these."""

    spans: tuple[DerivedSpan, ...]


Action: TypeAlias = Prune | Rewrite | Rederive


@dataclass(frozen=True, slots=True)
class View:
    """What the plan may know: the window as it is now, and the size of originals outside it."""

    spans: Callable[[], Sequence[AnySpan]]
    tokens: Callable[[], int]
    original_tokens: Callable[[SourceId], int]


def actions(view: View, budget: Budget, policy: Policy) -> Iterator[Action]:
    """The actions of one compaction, until the target is reached or nothing is left to do.

    The driver carries out each action, or skips it where the summary was rejected, and asks for the next.
    """
    for stage in (_tool_outputs, _segments, _unions):
        yield from _until(budget.target_tokens, view, stage(view, policy))
    for stage in (_informed, _summaries):
        yield from _until(budget.trigger_tokens, view, stage(view, policy))


def _until(tokens: int, view: View, offered: Iterator[Action]) -> Iterator[Action]:
    for action in offered:
        if view.tokens() <= tokens:
            return
        yield action


def _older(view: View, policy: Policy) -> list[AnySpan]:
    """The spans that compaction may touch: neither recent nor pinned. Oldest first."""
    spans = view.spans()
    return [span for span in spans[: max(len(spans) - policy.keep_recent, 0)] if not span.pinned]


def _tool_outputs(view: View, policy: Policy) -> Iterator[Action]:
    outputs = [span for span in _older(view, policy) if is_observed(span) and span.role is Role.TOOL]
    for span in outputs[: max(len(outputs) - policy.keep_tool_outputs, 0)]:
        yield Prune(Stage.TOOL_OUTPUTS, (span,))


def _segments(view: View, policy: Policy) -> Iterator[Action]:
    segment: list[ObservedSpan] = []
    size = 0
    for span in (*_runs(view, policy), None):
        fits = span is not None and size + span.tokens <= policy.segment_tokens
        if segment and not (fits and len(segment) < policy.segment_spans):
            yield Rewrite(tuple(segment))
            segment, size = [], 0
        if span is not None and span.tokens <= policy.segment_tokens:
            segment.append(span)
            size += span.tokens


def _runs(view: View, policy: Policy) -> Iterator[ObservedSpan | None]:
    """The originals that may be summarized, with None where a run ends: a summary never reaches over what stays."""
    touchable = {span.id for span in _older(view, policy)}
    for span in tuple(view.spans()):
        usable = is_observed(span) and not (policy.leave_out_informed and span.informed_by)
        yield span if is_observed(span) and usable and span.id in touchable else None


def _unions(view: View, policy: Policy) -> Iterator[Action]:
    group: list[DerivedSpan] = []
    size = 0
    for span in [span for span in _older(view, policy) if is_derived(span)]:
        originals = sum(view.original_tokens(source) for source in span.sources)
        if group and size + originals > policy.segment_tokens:
            if len(group) > 1:
                yield Rederive(tuple(group))
            group, size = [], 0
        group.append(span)
        size += originals
    if len(group) > 1:
        yield Rederive(tuple(group))


def _informed(view: View, policy: Policy) -> Iterator[Action]:
    if policy.leave_out_informed:
        for span in _older(view, policy):
            if is_observed(span) and span.informed_by:
                yield Prune(Stage.INFORMED, (span,))


def _summaries(view: View, policy: Policy) -> Iterator[Action]:
    for span in _older(view, policy):
        if is_derived(span):
            yield Prune(Stage.SUMMARIES, (span,))
