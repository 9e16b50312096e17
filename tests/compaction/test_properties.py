"""What holds of every compaction, whatever the window, the policy and the summarizer."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcontracts import (
    Budget,
    CompactionError,
    Compactor,
    ContextBuffer,
    ObservedSpan,
    PinnedSpanError,
    Policy,
    SourceId,
    StaleRewrite,
    WindowFullError,
    assistant_text,
    async_summarizer,
    is_derived,
    is_observed,
    summarizer,
    system_text,
    tool_text,
    user_text,
)

DOORS = {
    "user": user_text,
    "assistant": assistant_text,
    "system": system_text,
    "tool": lambda text: tool_text(text, name="read"),
}
turns = st.tuples(st.sampled_from(sorted(DOORS)), st.integers(1, 60), st.booleans())
budgets = st.builds(
    lambda limit, target, gap: Budget(limit=limit, target=target, trigger=min(1.0, target + gap)),
    st.integers(1, 600),
    st.floats(0.05, 0.8),
    st.floats(0.05, 0.5),
)
policies = st.builds(
    Policy,
    keep_recent=st.integers(0, 6),
    keep_tool_outputs=st.integers(0, 4),
    segment_tokens=st.integers(1, 200),
    segment_spans=st.integers(1, 6),
    leave_out_informed=st.booleans(),
)
summaries = st.lists(st.integers(0, 70), min_size=1, max_size=8)


def count(text: str) -> int:
    return len(text.split())


class Model:
    """A summarizer that writes summaries of the given lengths, in turn, and remembers what it was given."""

    def __init__(self, lengths: Sequence[int]) -> None:
        self.lengths = lengths
        self.given: list[tuple[SourceId, ...]] = []

    def write(self, spans: Sequence[ObservedSpan]) -> str:
        assert all(span.generation == 0 for span in spans)
        self.given.append(tuple(span.id for span in spans))
        return "word " * self.lengths[len(self.given) % len(self.lengths)]


def filled(observed: Sequence[tuple[str, int, bool]]) -> ContextBuffer:
    buffer = ContextBuffer(count_tokens=count, reentry="off")  # what comes in may be what a summarizer wrote
    for door, size, pinned in observed:
        buffer.observe(DOORS[door]("word " * size), pinned=pinned)
    return buffer


def compacted(compactor: Compactor, model: Model, *, run_async: bool) -> None:
    async def awrite(spans: Sequence[ObservedSpan]) -> str:
        await asyncio.sleep(0)
        return model.write(spans)

    try:
        if run_async:
            asyncio.run(compactor.acompact(async_summarizer(awrite)))
        else:
            compactor.compact(summarizer(model.write))
    except WindowFullError:
        assert compactor.buffer.tokens > compactor.budget.limit


@given(st.lists(turns, max_size=25), st.lists(turns, max_size=10), budgets, policies, summaries, st.booleans())
@settings(max_examples=150, deadline=None)
def test_a_compaction_keeps_its_promises(
    first: list[Any], later: list[Any], budget: Budget, policy: Policy, lengths: list[int], run_async: bool
) -> None:
    """It ends; pinned and recent spans stay; no span is used twice; nothing grows; no summary of a summary."""
    buffer = filled(first)
    model = Model(lengths)
    compactor = Compactor(buffer, budget, policy=policy)
    for arrivals in ([], later, []):
        for door, size, pinned in arrivals:
            buffer.observe(DOORS[door]("word " * size), pinned=pinned)
        before, tokens = buffer.spans, buffer.tokens
        compacted(compactor, model, run_async=run_async)
        after = buffer.spans
        assert buffer.tokens <= tokens
        assert [span for span in before if span.pinned] == [span for span in after if span.pinned]
        recent = before[len(before) - policy.keep_recent :] if policy.keep_recent else ()
        assert after[len(after) - len(recent) :] == recent
        sources = [s for span in after for s in (span.sources if is_derived(span) else [span.id])]
        assert len(sources) == len(set(sources))
        assert all(span.generation <= 1 for span in after)
        kept = [span for span in after if is_observed(span)]
        assert kept == [span for span in before if span in set(kept)]
        if tokens <= budget.trigger_tokens:
            assert after == before
    assert all(len(given) == len(set(given)) for given in model.given)
    assert all(buffer.original(source).generation == 0 for given in model.given for source in given)
    assert buffer.verify()


@given(st.lists(turns, min_size=2, max_size=20), policies, summaries)
@settings(max_examples=40, deadline=None)
def test_two_compactions_at_once_share_the_work(observed: list[Any], policy: Policy, lengths: list[int]) -> None:
    """What one has rewritten the other passes over, and no span is used twice."""
    buffer = filled(observed)
    model = Model(lengths)
    compactor = Compactor(buffer, Budget(limit=10_000, trigger=0.0002, target=0.0001), policy=policy)

    @async_summarizer
    async def write(spans: Sequence[ObservedSpan]) -> str:
        await asyncio.sleep(0)
        return model.write(spans)

    async def both() -> None:
        await asyncio.gather(compactor.acompact(write), compactor.acompact(write))

    asyncio.run(both())
    sources = [source for span in buffer.spans if is_derived(span) for source in span.sources]
    assert len(sources) == len(set(sources))
    assert buffer.verify()


def test_a_larger_summary_of_a_union_is_passed_over() -> None:
    """Two good summaries are not given up for a longer one, although it would be shorter than the originals."""
    buffer = filled([("user", 50, False)] * 2)
    for span in buffer.spans:
        buffer.rewrite([span] if is_observed(span) else [], summarizer(lambda _: "two words"))
    before = buffer.spans
    compactor = Compactor(buffer, Budget(limit=7, trigger=0.9, target=0.1), policy=Policy(keep_recent=0))
    sizes: list[int] = []

    @summarizer
    def long(spans: Sequence[ObservedSpan]) -> str:
        sizes.append(buffer.tokens)
        return "word " * 40

    report = compactor.compact(long)
    assert sizes == []
    assert (report.before, buffer.spans) == (6, before)
    compactor.budget = Budget(limit=7, trigger=0.8, target=0.1)
    report = compactor.compact(long)
    assert sizes == [6]
    assert report.rederived == []
    assert "the summaries that it would replace have 6" in report.skipped[0]
    assert buffer.spans == before[1:]


@pytest.mark.parametrize("error", [PinnedSpanError, StaleRewrite], ids=["a fault of the plan", "a claimed span"])
def test_only_what_others_did_is_passed_over(error: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A refused rewrite of spans that are all in the window still is a fault, and is raised."""
    buffer = filled([("user", 50, False)] * 2)

    def refusing(*_: object) -> None:
        raise error("refused")

    monkeypatch.setattr(ContextBuffer, "rewrite", refusing)
    compactor = Compactor(buffer, Budget(limit=110, trigger=0.5, target=0.1), policy=Policy(keep_recent=0))
    if error is PinnedSpanError:
        with pytest.raises(PinnedSpanError):
            compactor.compact(summarizer(lambda _: "x"))
    else:
        assert compactor.compact(summarizer(lambda _: "x")).skipped == ["refused"]


@pytest.mark.parametrize(
    "make", [lambda: Budget(limit="x"), lambda: Policy(keep_recent="x")], ids=["budget", "policy"]
)  # type: ignore[arg-type]
def test_numbers_that_are_none_are_refused_in_our_words(make: Any) -> None:
    """As numbers outside their range are."""
    with pytest.raises(CompactionError, match="cannot be followed"):
        make()
