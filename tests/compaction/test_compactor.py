"""The compactor on a real buffer: what it touches, in which order, and how it ends."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from ctxcontracts import ContextBuffer
from ctxcontracts.compaction import Budget, CompactionReport, Compactor, Policy, Stage
from ctxcontracts.errors import CompactionError, WindowFullError
from ctxcontracts.spans import (
    ObservedSpan,
    assistant_text,
    async_summarizer,
    is_derived,
    is_observed,
    summarizer,
    system_text,
    tool_text,
    user_text,
)

SECRET = "hunter2 "
EVERYTHING = Policy(keep_recent=0, keep_tool_outputs=0)


@summarizer
def short(spans: Sequence[ObservedSpan]) -> str:
    return f"{len(spans)} turns"


@async_summarizer
async def ashort(spans: Sequence[ObservedSpan]) -> str:
    return f"{len(spans)} turns"


@summarizer
def failing(spans: Sequence[ObservedSpan]) -> str:
    return ""


def filled(*, users: int = 0, tools: int = 0, assistants: int = 0, pinned: int = 0) -> ContextBuffer:
    """A buffer of turns of 100 tokens each, in the order of the parameters."""
    buffer = ContextBuffer(count_tokens=lambda text: len(text.split()))
    for _ in range(pinned):
        buffer.observe(system_text(SECRET * 100), pinned=True)
    for number in range(users):
        buffer.observe(user_text(f"user{number} " + SECRET * 99))
    for number in range(tools):
        buffer.observe(tool_text(f"tool{number} " + SECRET * 99, name="read"))
    for number in range(assistants):
        buffer.observe(assistant_text(f"assistant{number} " + SECRET * 99))
    return buffer


def test_below_the_trigger_nothing_happens() -> None:
    """A window that is not too full is left as it is."""
    buffer = filled(users=5)
    report = Compactor(buffer, Budget(limit=1000)).compact(short)
    assert (report.before, report.after, report.pruned, report.rewritten) == (500, 500, {}, 0)
    assert len(buffer) == 5


def test_old_tool_output_is_pruned_before_anything_is_rewritten() -> None:
    """Pruning tool output is the cheapest way down, and here it is enough."""
    buffer = filled(users=2, tools=8)
    report = Compactor(buffer, Budget(limit=1000), policy=Policy(keep_recent=0, keep_tool_outputs=2)).compact(short)
    assert report.pruned == {Stage.TOOL_OUTPUTS: 5}
    assert report.rewritten == 0
    assert report.reached
    assert [str(span.text)[:5] for span in buffer.spans if is_observed(span)] == ["user0", "user1"] + [
        f"tool{number}" for number in (5, 6, 7)
    ]


def test_the_newest_spans_are_left_alone() -> None:
    """What the agent works on now is neither pruned nor summarized."""
    buffer = filled(users=10)
    newest = buffer.spans[-6:]
    Compactor(buffer, Budget(limit=1000), policy=Policy(keep_recent=6)).compact(short)
    assert buffer.spans[-6:] == newest
    assert len(buffer) < 10


def test_segments_are_bounded_and_stand_side_by_side() -> None:
    """No summary is made from more originals than the summarizer can read at once."""
    buffer = filled(users=9)
    policy = Policy(keep_recent=0, segment_tokens=300)
    report = Compactor(buffer, Budget(limit=900, target=0.1), policy=policy).compact(short)
    assert report.rewritten == 9
    assert len(report.derived) == 3
    assert [len(span.sources) for span in buffer.spans if is_derived(span)] == [3, 3, 3]


def test_a_single_span_that_the_summarizer_cannot_read_is_left_out_of_segments() -> None:
    """A span larger than the summarizer's window is not cut into pieces."""
    buffer = filled(users=3)
    report = Compactor(buffer, Budget(limit=300), policy=Policy(keep_recent=0, segment_tokens=99)).compact(short)
    assert report.rewritten == 0
    assert not report.reached


def test_a_summary_never_reaches_over_a_pinned_span() -> None:
    """Summaries keep their place between what stays."""
    buffer = filled(users=2)
    buffer.observe(system_text(SECRET * 10), pinned=True)
    for number in range(2):
        buffer.observe(user_text(f"later{number} " + SECRET * 99))
    Compactor(buffer, Budget(limit=400, target=0.05), policy=EVERYTHING).compact(short)
    assert [span.pinned for span in buffer.spans] == [False, True, False]


def test_summaries_are_derived_again_from_originals_and_never_summarized() -> None:
    """The union of two summaries is made from the originals of both: the summarizer sees no summary."""
    seen: list[str] = []

    @summarizer
    def watching(spans: Sequence[ObservedSpan]) -> str:
        seen.extend(str(span.text).split()[0] for span in spans)
        return "words " * (12 if len(spans) < 4 else 2)

    buffer = filled(users=8)
    first = Compactor(buffer, Budget(limit=800, target=0.02), policy=Policy(keep_recent=0, segment_spans=2)).compact(
        watching
    )
    assert len(first.derived) == 4
    assert first.rederived == [span.id for span in buffer.spans]
    assert seen == [f"user{number}" for number in range(8)] * 2
    assert all(span.generation == 1 for span in buffer.spans)


def test_a_union_is_made_only_where_its_originals_fit_the_summarizer() -> None:
    """Re-derivation reads originals, so it is bounded by their size and not by that of the summaries."""
    buffer = filled(users=6)
    policy = Policy(keep_recent=0, segment_spans=2, segment_tokens=400)
    report = Compactor(buffer, Budget(limit=600, trigger=0.002, target=0.001), policy=policy).compact(short)
    assert len(report.derived) == 3
    assert len(report.rederived) == 1
    assert report.pruned[Stage.SUMMARIES] == 2


def test_derived_spans_are_pruned_last() -> None:
    """Where even tight summaries are too much, the oldest go; the originals stay in the cold store."""
    buffer = filled(users=8)
    policy = Policy(keep_recent=0, segment_spans=1, segment_tokens=150)
    report = Compactor(buffer, Budget(limit=800, trigger=0.015, target=0.01), policy=policy).compact(short)
    assert report.pruned[Stage.SUMMARIES] > 0
    assert buffer.tokens <= 12
    assert buffer.verify().ok


def test_a_rejected_summary_is_reported_and_changes_nothing() -> None:
    """A failing summarizer costs no original."""
    buffer = filled(users=8)
    before = buffer.spans
    report = Compactor(buffer, Budget(limit=1000), policy=EVERYTHING).compact(failing)
    assert buffer.spans == before
    assert len(report.skipped) == 1
    assert SECRET.strip() not in str(report) + "".join(report.skipped)


def test_a_strict_policy_keeps_informed_turns_out_of_summaries_and_prunes_them() -> None:
    """A turn that may repeat what a bad summary claimed does not enter the next summary."""
    buffer = filled(users=4)
    buffer.rewrite([span for span in buffer.spans if is_observed(span)], short)
    buffer.observe(assistant_text("informed " + SECRET * 199))
    policy = Policy(keep_recent=0, leave_out_informed=True)
    report = Compactor(buffer, Budget(limit=202, target=0.5), policy=policy).compact(short)
    assert report.pruned == {Stage.INFORMED: 1}
    assert report.rewritten == 0


def test_a_window_full_of_what_may_not_be_touched_says_with_what() -> None:
    """Compaction ends, and names what fills the window."""
    buffer = filled(pinned=5, users=2)
    with pytest.raises(WindowFullError) as caught:
        Compactor(buffer, Budget(limit=300), policy=Policy(keep_recent=2)).compact(short)
    assert caught.value.fills == {"pinned": 500, "from user": 200}
    assert "pinned 500" in str(caught.value)
    assert SECRET.strip() not in str(caught.value)


def test_what_fills_the_window_counts_summaries_too() -> None:
    """Recent summaries may not be touched either."""
    buffer = filled(users=2)
    buffer.rewrite([span for span in buffer.spans if is_observed(span)], short)
    with pytest.raises(WindowFullError) as caught:
        Compactor(buffer, Budget(limit=1), policy=Policy(keep_recent=1)).compact(short)
    assert list(caught.value.fills) == ["summaries"]


async def test_the_async_form_does_the_same() -> None:
    """`acompact` with an async summarizer gives the same window as `compact`."""
    sync, other = filled(users=6, tools=6), filled(users=6, tools=6)
    policy = Policy(keep_recent=0, keep_tool_outputs=3, segment_spans=2)
    budget = Budget(limit=1200, trigger=0.7, target=0.005)
    first = Compactor(sync, budget, policy=policy).compact(short)
    second = await Compactor(other, budget, policy=policy).acompact(ashort)
    assert (first.pruned, first.rewritten, first.after) == (second.pruned, second.rewritten, second.after)
    assert len(first.rederived) == len(second.rederived) == 1
    assert [span.tokens for span in sync.spans] == [span.tokens for span in other.spans]


async def test_the_async_form_does_nothing_below_the_trigger() -> None:
    """A window that is not too full is left as it is."""
    buffer = filled(users=5)
    report = await Compactor(buffer, Budget(limit=1000)).acompact(ashort)
    assert (report.before, report.after, len(buffer)) == (500, 500, 5)


async def test_the_async_form_skips_a_rejected_summary() -> None:
    """An empty summary is reported by `acompact` too."""

    @async_summarizer
    async def empty(spans: Sequence[ObservedSpan]) -> str:
        return " "

    buffer = filled(users=8)
    report = await Compactor(buffer, Budget(limit=1000), policy=EVERYTHING).acompact(empty)
    assert len(report.skipped) == 1
    assert len(buffer) == 8


@pytest.mark.parametrize(
    ("limit", "trigger", "target"),
    [(0, 0.7, 0.5), (100, 0.5, 0.5), (100, 1.1, 0.5), (100, 0.7, 0.0)],
    ids=["no window", "target at the trigger", "trigger above the window", "target zero"],
)
def test_a_budget_that_cannot_be_followed_is_refused(limit: int, trigger: float, target: float) -> None:
    """A wrong number is named where it is given."""
    with pytest.raises(CompactionError, match="cannot be followed"):
        Budget(limit=limit, trigger=trigger, target=target)


@pytest.mark.parametrize(
    "options", [{"keep_recent": -1}, {"keep_tool_outputs": -1}, {"segment_tokens": 0}, {"segment_spans": 0}], ids=str
)
def test_a_policy_that_cannot_be_followed_is_refused(options: dict[str, int]) -> None:
    """A wrong number is named where it is given."""
    with pytest.raises(CompactionError, match="cannot be followed"):
        Policy(**options)


def test_a_report_reads_as_one_line() -> None:
    """The account of a compaction fits into a log line."""
    report = CompactionReport(before=100, target=50, after=40, pruned={Stage.TOOL_OUTPUTS: 2})
    assert str(report) == "100 -> 40 tokens: 2 pruned, 0 rewritten into 0, 0 re-derived, 0 skipped"
