"""What a buffer does with arguments that nobody would pass on purpose, and with lists that change meanwhile."""

from __future__ import annotations

import asyncio
import copy
import pickle
from collections.abc import Callable, Iterable, Sequence
from typing import Any, cast
from unittest import mock

import pytest

from ctxcontracts import (
    AsyncSummarizer,
    ContextBuffer,
    CtxContractsError,
    DerivedSpan,
    MemoryStore,
    ObservedSpan,
    ProvenanceError,
    RewritePolicyError,
    SQLiteStore,
    StaleRewrite,
    Summarizer,
    async_summarizer,
    expose,
    summarizer,
    user_text,
)
from tests.support.buffers import WORDS, filled, ids, shrink, state

ODD_OPTIONS = ("result", "OLD", "spans", "by", "self", "_ARGS", "_KWARGS", "error")


def words(turns: Sequence[ObservedSpan], /, **options: object) -> str:
    return f"{len(turns)} turns, {len(options)} options"


async def awords(turns: Sequence[ObservedSpan], /, **options: object) -> str:
    return words(turns, **options)


@pytest.mark.parametrize("name", ODD_OPTIONS)
async def test_an_option_of_a_summarizer_may_have_any_name(name: str) -> None:
    """Some of them are words of icontract, which would take others for what it checks."""
    buffer, spans = filled(4)
    option: dict[str, Any] = {name: 3}
    made = buffer.rewrite(spans[0], summarizer(words), **option)
    other = await buffer.arewrite(spans[1], async_summarizer(awords), **option)
    buffer.rederive(made, summarizer(words), **option)
    await buffer.arederive(other, async_summarizer(awords), **option)
    assert ids(buffer) == ["d3", "d4", "o3", "o4"]


def test_a_list_that_grows_while_its_summarizer_runs_is_no_broken_promise() -> None:
    """The spans of a call are those that were passed, whatever becomes of the list."""
    buffer, spans = filled(4)
    pending = spans[:2]

    @summarizer
    def appending(given: Sequence[ObservedSpan]) -> str:
        pending.append(spans[3])
        return f"{len(given)}"

    made = buffer.rewrite(pending, appending)
    assert made.sources == (spans[0].id, spans[1].id)
    made_of = [made]

    @summarizer
    def emptying(given: Sequence[ObservedSpan]) -> str:
        made_of.clear()
        return f"{len(given)}"

    assert buffer.rederive(made_of, emptying).sources == made.sources


async def test_a_list_that_grows_while_a_task_awaits_is_no_broken_promise() -> None:
    """An agent goes on observing into the list that it handed to `arewrite`."""
    buffer, spans = filled(3)
    pending = spans[:2]

    @async_summarizer
    async def slow(given: Sequence[ObservedSpan]) -> str:
        await asyncio.sleep(0.01)
        return f"{len(given)}"

    task = asyncio.create_task(buffer.arewrite(pending, slow))
    await asyncio.sleep(0)
    pending.append(spans[2])
    assert len((await task).sources) == 2


FORGED: dict[str, Callable[[ContextBuffer, ObservedSpan], object]] = {
    "mock span": lambda b, _: b.rewrite([mock.Mock(spec=ObservedSpan)], shrink),
    "mock derived": lambda b, _: b.rederive([mock.Mock(spec=DerivedSpan)], shrink),
    "mock to prune": lambda b, _: b.prune([mock.Mock(spec=ObservedSpan)]),
    "mock summarizer": lambda b, s: b.rewrite(s, cast("Summarizer[[]]", mock.Mock(spec=Summarizer))),
    "empty span": lambda b, _: b.rewrite(object.__new__(ObservedSpan), shrink),
    "empty summarizer": lambda b, s: b.rewrite(s, object.__new__(Summarizer)),
    "empty async summarizer": lambda b, s: asyncio.run(b.arewrite(s, object.__new__(AsyncSummarizer))),
}


@pytest.mark.parametrize("call", FORGED.values(), ids=FORGED)
def test_what_only_looks_like_ours_is_refused(call: Callable[[ContextBuffer, ObservedSpan], object]) -> None:
    """A mock passes `isinstance`, and `object.__new__` makes an instance of anything."""
    buffer, spans = filled(2)
    with pytest.raises((ProvenanceError, RewritePolicyError)):
        call(buffer, spans[0])
    assert ids(buffer) == ["o1", "o2"]


def test_a_repeated_span_is_found_in_a_large_list() -> None:
    """The error costs no more than the list is long."""
    buffer = ContextBuffer()
    spans = buffer.observe_all(user_text(str(n)) for n in range(20_000))
    with pytest.raises(RewritePolicyError, match=r"spans\[20000\] is .*:o1, which spans\[0\] is already"):
        buffer.rewrite([*spans, *spans], shrink)


def collections(spans: Sequence[ObservedSpan]) -> dict[str, Any]:
    return {
        "tuple": tuple(spans),
        "set": set(spans),
        "keys": dict.fromkeys(spans),
        "view": dict.fromkeys(spans).keys(),
    }


@pytest.mark.parametrize("kind", ["tuple", "set", "keys", "view"])
def test_any_collection_of_spans_is_taken_in_the_order_of_the_window(kind: str) -> None:
    """Sets too: the order is that of the window anyway."""
    buffer, spans = filled(4)
    assert buffer.rewrite(collections(spans[:3])[kind], shrink).sources == tuple(span.id for span in spans[:3])


@pytest.mark.parametrize(
    "odd", [None, "text", 3, iter(()), [None], {"a": 1}, [[]]], ids=lambda odd: type(odd).__name__
)
def test_what_is_no_span_changes_nothing(odd: Any) -> None:
    """Each way in refuses in our words."""
    buffer, spans = filled(2)
    made = buffer.rewrite(spans[0], shrink)
    before = state(buffer)
    for call in (
        lambda: buffer.rewrite(odd, shrink),
        lambda: buffer.rederive(odd, shrink),
        lambda: asyncio.run(buffer.arewrite(odd, async_summarizer(awords))),
        lambda: buffer.rewrite([spans[1], odd], shrink),
        lambda: buffer.rederive([made, odd], shrink),
        lambda: buffer.prune([spans[1], odd]),
    ):
        with pytest.raises(CtxContractsError):
            call()
    assert state(buffer) == before


def test_a_summarizer_may_use_buffers_and_cannot_take_its_own_spans() -> None:
    """Other spans can be rewritten and pruned inside; its own are claimed, and gone after a prune."""
    buffer, spans = filled(6)

    @summarizer
    def busy(given: Sequence[ObservedSpan]) -> str:
        scratch = ContextBuffer(buffer.store, session="scratch")
        scratch.observe(user_text("a note"))
        buffer.rewrite(spans[2:4], shrink)
        buffer.prune(spans[4])
        with pytest.raises(StaleRewrite, match="another rewrite"):
            buffer.rewrite(given, shrink)
        return f"{len(given)}"

    buffer.rewrite(spans[:2], busy)
    assert ids(buffer) == ["d1", "d2", "o6"]

    @summarizer
    def pruning(given: Sequence[ObservedSpan]) -> str:
        buffer.prune(given)
        return f"{len(given)}"

    with pytest.raises(StaleRewrite, match="it was pruned"):
        buffer.rewrite(spans[5], pruning)
    assert ids(buffer) == ["d1", "d2"]


def test_a_session_with_summaries_can_be_opened_while_a_summarizer_runs() -> None:
    """Its window is rebuilt, and the texts of its summaries stay closed."""
    buffer, spans = filled(2)
    buffer.rewrite(spans[0], shrink)

    @summarizer
    def opening(given: Sequence[ObservedSpan]) -> str:
        again = ContextBuffer(buffer.store, session=buffer.session)
        assert ids(again) == ["d1", "o2"]
        [made] = [span for span in again.spans if isinstance(span, DerivedSpan)]
        with pytest.raises(RewritePolicyError):
            expose(made.text)
        with pytest.raises(RewritePolicyError):
            again.render()
        return f"{len(given)}"

    buffer.rewrite(spans[1], opening)


def test_a_summarizer_rewrites_on_a_store_on_disk(tmp_path: Any) -> None:
    """Keeping a summary reads its text, which is no way for it to get out."""
    with SQLiteStore(tmp_path / "a.db") as store:
        buffer, spans = filled(4, ContextBuffer(store, session="s"))

        @summarizer
        def nested(given: Sequence[ObservedSpan]) -> str:
            buffer.rederive(buffer.rewrite(spans[2:], shrink), shrink)
            return f"{len(given)}"

        buffer.rewrite(spans[:2], nested)
        assert ids(buffer) == ["d1", "d3"]
        assert buffer.verify()


def texts(n: int) -> Iterable[Any]:
    yield user_text(WORDS)
    yield n


REFUSED: dict[str, Callable[[ContextBuffer], Any]] = {
    "store": lambda _: ContextBuffer("agent.db"),  # type: ignore[arg-type]
    "no store": lambda _: ContextBuffer(3),  # type: ignore[arg-type]
    "counter": lambda _: ContextBuffer(count_tokens=None),  # type: ignore[arg-type]
    "observe_all None": lambda b: b.observe_all(None),  # type: ignore[arg-type]
    "observe_all one": lambda b: b.observe_all(user_text("abc")),  # type: ignore[arg-type]
    "observe_all mixed": lambda b: b.observe_all(texts(3)),
    "messages None": lambda _: ContextBuffer.from_messages(None),  # type: ignore[arg-type]
    "one message": lambda _: ContextBuffer.from_messages({"role": "user"}),  # type: ignore[arg-type]
    "huge count": lambda _: ContextBuffer(count_tokens=lambda _: 10**5000).observe(user_text("x")),
    "huge negative count": lambda _: ContextBuffer(count_tokens=lambda _: -(10**5000)).observe(user_text("x")),
    "a span for an id": lambda b: b.is_live(b.spans[0]),  # type: ignore[arg-type]
    "a span for a source": lambda b: b.rewritten_into(b.spans[0]),  # type: ignore[arg-type]
    "an id that is a list": lambda b: b.original(["s:o1"]),  # type: ignore[arg-type]
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
    "pickle": pickle.dumps,
    "deepcopy of a store": lambda b: copy.deepcopy(b.store),
    "pickle of a store": lambda b: pickle.dumps(b.store),
}


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("durable", [False, True], ids=["memory", "sqlite"])
def test_a_clumsy_call_is_refused_in_our_words(
    call: Callable[[ContextBuffer], Any], tmp_path: Any, durable: bool
) -> None:
    """No TypeError from the depths: what happened, and what to write instead. Nothing is changed."""
    with SQLiteStore(tmp_path / "a.db") if durable else MemoryStore() as store:
        buffer, _ = filled(2, ContextBuffer(store, session="s"))
        before = state(buffer)
        with pytest.raises(CtxContractsError) as refused:
            call(buffer)
        assert refused.value.instead
        assert len(str(refused.value)) < 600
        assert state(buffer) == before
        assert len(list(store.journal("s"))) == 3
