"""Rewriting and re-deriving: what they take, what they refuse, what they leave untouched."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.buffer.window import is_well_formed
from ctxcontracts.errors import (
    DamagedOriginalError,
    PinnedSpanError,
    ProvenanceError,
    Rejection,
    RewritePolicyError,
    StaleRewrite,
    SummaryRejected,
    UnknownSpanError,
)
from ctxcontracts.spans import ObservedSpan, expose, summarizer, system_text, user_text
from ctxcontracts.spans.mark import mark
from tests.support.buffers import WORDS, ashrink, filled, ids, shrink, state, summary_of


def test_a_summary_takes_the_place_of_its_first_source() -> None:
    """The order of what stays does not change, whatever the order of the list."""
    buffer, spans = filled(6)
    made = buffer.rewrite([spans[4], spans[1], spans[2]], shrink, words=2)
    assert ids(buffer) == ["o1", "d1", "o4", "o6"]
    assert made.sources == (spans[1].id, spans[2].id, spans[4].id)
    assert summary_of(made) == "3 of them: turn 2:"
    assert (made.generation, made.summarizer) == (1, "shrink")
    assert buffer.tokens == sum(span.tokens for span in buffer.spans)
    assert buffer.rewritten_into(spans[2].id) == made.id
    assert [buffer.original(source).text for source in made.sources] == [spans[n].text for n in (1, 2, 4)]


def test_one_span_needs_no_list() -> None:
    """`rewrite(span, by)` and `rederive(span, by)`."""
    buffer, spans = filled(2)
    made = buffer.rewrite(spans[0], shrink)
    again = buffer.rederive(made, shrink, words=1)
    assert ids(buffer) == ["d2", "o2"]
    assert again.sources == made.sources == (spans[0].id,)


def test_a_union_is_made_from_all_originals_in_order() -> None:
    """Interleaved summaries give their sources back in the order of the window."""
    buffer, spans = filled(6)
    one = buffer.rewrite([spans[0], spans[3]], shrink)
    two = buffer.rewrite([spans[1], spans[4]], shrink)
    seen: list[Sequence[ObservedSpan]] = []

    @summarizer
    def noting(given: Sequence[ObservedSpan]) -> str:
        seen.append(given)
        return "Four turns."

    made = buffer.rederive([two, one], noting)
    assert made.sources == tuple(spans[n].id for n in (0, 1, 3, 4))
    assert [span.text for span in seen[0]] == [spans[n].text for n in (0, 1, 3, 4)]
    assert ids(buffer) == ["d3", "o3", "o6"]
    assert buffer.rewritten_into(spans[4].id) == made.id


def test_a_rederivation_may_grow_up_to_its_originals() -> None:
    """A bad summary that was too short can be repaired."""
    buffer, spans = filled(1)
    made = buffer.rewrite(spans[0], shrink, words=1)
    better = buffer.rederive(made, shrink, words=20)
    assert made.tokens < better.tokens < spans[0].tokens


# --- what is refused -----------------------------------------------------------------------------------------------


def derived(buffer: ContextBuffer, spans: list[ObservedSpan]) -> object:
    return buffer.rewrite(spans[0], shrink)


def rewritten(buffer: ContextBuffer, spans: list[ObservedSpan]) -> object:
    buffer.rewrite(spans[0], shrink)
    return spans[0]


def pruned(buffer: ContextBuffer, spans: list[ObservedSpan]) -> object:
    buffer.prune(spans[0])
    return spans[0]


def foreign(buffer: ContextBuffer, spans: list[ObservedSpan]) -> object:
    return filled(1)[1][0]


def pinned(buffer: ContextBuffer, spans: list[ObservedSpan]) -> object:
    return buffer.observe(system_text(WORDS), pinned=True)


REFUSED: dict[str, tuple[Callable[[ContextBuffer, list[ObservedSpan]], object], type[Exception], str]] = {
    "a derived span": (derived, RewritePolicyError, "P2"),
    "a derived span in a list": (lambda b, s: [s[1], derived(b, s)], RewritePolicyError, "P2"),
    "a span that was rewritten": (rewritten, RewritePolicyError, "P3"),
    "a span twice": (lambda b, s: [s[0], s[0]], RewritePolicyError, "P3"),
    "no span": (lambda b, s: [], RewritePolicyError, "P12"),
    "a pruned span": (pruned, StaleRewrite, "P11"),
    "a foreign span": (foreign, UnknownSpanError, "P12"),
    "a pinned span": (pinned, PinnedSpanError, "P9"),
    "a pinned span in a list": (lambda b, s: [s[1], pinned(b, s)], PinnedSpanError, "P9"),
    "a text": (lambda b, s: "text", RewritePolicyError, "P2"),
    "a generator": (lambda b, s: (span for span in s), RewritePolicyError, "P2"),
    "nothing": (lambda b, s: None, RewritePolicyError, "P2"),
}


@pytest.mark.parametrize(("make", "error", "promise"), REFUSED.values(), ids=REFUSED)
async def test_a_rewrite_refuses(make: Callable[..., object], error: type[Exception], promise: str) -> None:
    """Each names the promise that it keeps, and nothing has changed; the async way refuses the same."""
    buffer, spans = filled(3)
    given: Any = make(buffer, spans)
    before = state(buffer)
    with pytest.raises(error, match=promise):
        buffer.rewrite(given, shrink)
    with pytest.raises(error, match=promise):
        await buffer.arewrite(given, ashrink)
    assert state(buffer) == before
    assert not buffer._session._window.claims


def replaced(buffer: ContextBuffer, spans: list[ObservedSpan]) -> object:
    made = buffer.rewrite(spans[0], shrink)
    buffer.rederive(made, shrink)
    return made


def pruned_summary(buffer: ContextBuffer, spans: list[ObservedSpan]) -> object:
    made = buffer.rewrite(spans[0], shrink)
    buffer.prune(made)
    return made


def foreign_summary(buffer: ContextBuffer, spans: list[ObservedSpan]) -> object:
    return derived(*filled(1))


UNDERIVABLE: dict[str, tuple[Callable[[ContextBuffer, list[ObservedSpan]], object], type[Exception], str]] = {
    "an observed span": (lambda b, s: s[0], RewritePolicyError, "P12"),
    "a summary twice": (lambda b, s: [derived(b, s)] * 2, RewritePolicyError, "P3"),
    "no span": (lambda b, s: [], RewritePolicyError, "P12"),
    "a replaced summary": (replaced, StaleRewrite, "P11"),
    "a pruned summary": (pruned_summary, StaleRewrite, "P11"),
    "a foreign summary": (foreign_summary, UnknownSpanError, "P12"),
    "an id": (lambda b, s: "s:d1", RewritePolicyError, "P12"),
}


@pytest.mark.parametrize(("make", "error", "promise"), UNDERIVABLE.values(), ids=UNDERIVABLE)
async def test_a_rederivation_refuses(make: Callable[..., object], error: type[Exception], promise: str) -> None:
    """Only live summaries of this buffer are re-derived."""
    buffer, spans = filled(3)
    given: Any = make(buffer, spans)
    before = state(buffer)
    with pytest.raises(error, match=promise):
        buffer.rederive(given, shrink)
    with pytest.raises(error, match=promise):
        await buffer.arederive(given, ashrink)
    assert state(buffer) == before


async def test_a_summarizer_must_be_sealed_and_of_the_right_kind() -> None:
    """An unsealed function could be fed anything."""
    buffer, spans = filled(2)
    made = buffer.rewrite(spans[0], shrink)
    loose: Any = lambda spans: "x"
    wrong: Any = ashrink
    wrong_too: Any = shrink
    for use in (lambda by: buffer.rewrite(spans[1], by), lambda by: buffer.rederive(made, by)):
        for by in (loose, wrong, None):
            with pytest.raises(ProvenanceError, match="@summarizer"):
                use(by)
    for by in (loose, wrong_too, None):
        with pytest.raises(ProvenanceError, match="@async_summarizer"):
            await buffer.arewrite(spans[1], by)
        with pytest.raises(ProvenanceError, match="@async_summarizer"):
            await buffer.arederive(made, by)


def test_an_option_that_holds_a_summary_is_refused() -> None:
    """P2: no earlier summary reaches a summarizer through its options."""
    buffer, spans = filled(2)
    made = buffer.rewrite(spans[0], shrink)

    @summarizer
    def extending(given: Sequence[ObservedSpan], previous: object) -> str:
        return "never"

    for previous in (made, made.text, expose(made.text), [made], buffer.render(), buffer.render().text):
        with pytest.raises(RewritePolicyError, match="holds derived text"):
            buffer.rewrite(spans[1], extending, previous=previous)
    assert ids(buffer) == ["d1", "o2"]


def test_a_running_summarizer_reads_no_summary() -> None:
    """P2: not through render, nor through the text of a span, nor through the journal."""
    buffer, spans = filled(2)
    made = buffer.rewrite(spans[0], shrink)
    ways: list[Callable[[], object]] = [
        buffer.render,
        lambda: expose(made.text),
        lambda: buffer.store.journal(buffer.session),
        lambda: f"{buffer.spans[0].text}",
    ]
    for way in ways:

        @summarizer
        def peeking(given: Sequence[ObservedSpan], way: Callable[[], object] = way) -> str:
            return str(way())

        with pytest.raises(RewritePolicyError, match="while the summarizer"):
            buffer.rewrite(spans[1], peeking)
    assert ids(buffer) == ["d1", "o2"]


SUMMARIES = {
    "empty": ("", Rejection.EMPTY),
    "white space": (" \n\t", Rejection.EMPTY),
    "an error": ("Error: the model is overloaded", Rejection.ERROR_TEXT),
    "a traceback": ("Traceback (most recent call last):\n  File", Rejection.ERROR_TEXT),
    "a refusal": ("I'm sorry, but I can't help with that.", Rejection.ERROR_TEXT),
    "as long as its sources": (WORDS * 2, Rejection.NOT_SMALLER),
    "marked": (f"{mark('s:d1')} earlier", Rejection.CARRIES_DERIVED),
}


@pytest.mark.parametrize(("text", "reason"), SUMMARIES.values(), ids=SUMMARIES)
def test_a_bad_summary_changes_nothing(text: str, reason: Rejection) -> None:
    """P6 and P7, for rewrite and rederive."""
    buffer, spans = filled(2)
    made = buffer.rewrite(spans[0], shrink)
    before = state(buffer)

    @summarizer
    def bad(given: Sequence[ObservedSpan]) -> str:
        return text

    for use in (lambda: buffer.rewrite(spans[1], bad), lambda: buffer.rederive(made, bad)):
        with pytest.raises(SummaryRejected) as caught:
            use()
        assert caught.value.reason is reason
    assert state(buffer) == before
    assert buffer.rewrite(spans[1], shrink).sources == (spans[1].id,)


def test_a_summary_has_to_win_with_its_mark() -> None:
    """P7 counts what the model will get: one token less than the sources is the most."""
    buffer = ContextBuffer(session="s", count_tokens=len)
    sizes = [len(mark("s:d1")) + 1 + 5, len(mark("s:d2")) + 1 + 6]
    spans = [buffer.observe(user_text("x" * size)) for size in sizes]

    @summarizer
    def five(given: Sequence[ObservedSpan]) -> str:
        return "five!"

    with pytest.raises(SummaryRejected, match="22 tokens, with its mark, and its sources have 22") as caught:
        buffer.rewrite(spans[0], five)
    assert caught.value.reason is Rejection.NOT_SMALLER
    assert buffer.rewrite(spans[1], five).tokens == spans[1].tokens - 1


@pytest.mark.parametrize("error", [ValueError, KeyboardInterrupt, SystemExit], ids=lambda error: error.__name__)
def test_what_a_summarizer_raises_passes_through(error: type[BaseException]) -> None:
    """P6: unchanged, with nothing changed, and the spans are free again."""
    buffer, spans = filled(2)
    made = buffer.rewrite(spans[0], shrink)
    before = state(buffer)

    @summarizer
    def failing(given: Sequence[ObservedSpan]) -> str:
        raise error

    with pytest.raises(error):
        buffer.rewrite(spans[1], failing)
    with pytest.raises(error):
        buffer.rederive(made, failing)
    assert state(buffer) == before
    buffer.rewrite(spans[1], shrink)
    buffer.rederive(made, shrink)
    assert is_well_formed(buffer._session._window)


def test_a_prune_while_a_summarizer_runs_wins() -> None:
    """P5 and P11: the prune is allowed, the rewrite comes too late and changes nothing."""
    buffer, spans = filled(3)

    @summarizer
    def slow(given: Sequence[ObservedSpan]) -> str:
        buffer.prune(spans[1])
        return "too late"

    with pytest.raises(StaleRewrite, match="was pruned"):
        buffer.rewrite(spans[:2], slow)
    assert ids(buffer) == ["o1", "o3"]
    assert buffer.rewrite(spans[0], shrink).sources == (spans[0].id,)


def test_a_span_under_rewrite_cannot_be_rewritten() -> None:
    """P11: the second comes to a claimed span; other spans are free."""
    buffer, spans = filled(3)
    inner: list[object] = []

    @summarizer
    def nesting(given: Sequence[ObservedSpan]) -> str:
        with pytest.raises(StaleRewrite, match="another rewrite is working on"):
            buffer.rewrite(spans[1:], shrink)
        inner.append(buffer.rewrite(spans[2], shrink))
        return "outer"

    outer = buffer.rewrite(spans[:2], nesting)
    assert buffer.spans == (outer, inner[0])


def test_a_claim_that_was_given_back_cannot_commit() -> None:
    """Compare-and-swap looks at the claim too, not at the spans alone."""
    buffer, spans = filled(2)

    @summarizer
    def losing(given: Sequence[ObservedSpan]) -> str:
        buffer._session._window.claims.clear()
        return "lost"

    with pytest.raises(StaleRewrite, match="another rewrite"):
        buffer.rewrite(spans[0], losing)
    assert ids(buffer) == ["o1", "o2"]


def test_a_damaged_original_is_not_summarized() -> None:
    """P12: rederive reads the store, and the store recomputes every digest."""
    buffer, spans = filled(1)
    made = buffer.rewrite(spans[0], shrink)
    records: Any = buffer.store._records  # type: ignore[attr-defined]
    records[spans[0].id] = records[spans[0].id]._replace(text="changed")
    with pytest.raises(DamagedOriginalError):
        buffer.rederive(made, shrink)
    assert ids(buffer) == ["d1"]
