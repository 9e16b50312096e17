"""`@derives` over functions that stream their text."""

from __future__ import annotations

import inspect
from collections.abc import AsyncGenerator, AsyncIterator, Generator, Iterator
from typing import Any

import pytest

from ctxcontracts import DerivedStr, RewritePolicyError, SummaryRejected, derives, expose
from ctxcontracts.contracts.registry import MemoryRegistry, digest_of_whole
from ctxcontracts.errors import DerivedAgainError
from ctxcontracts.spans.mark import mark, marked_ids
from ctxcontracts.spans.running import running_summarizer
from tests.support.spans import derived

CHUNKS = ["", "\n", "The user asks", " why the build", " was red."]
WHOLE = "".join(CHUNKS)
registry = MemoryRegistry()
decorate = derives(store=registry)


@decorate
def stream(history: list[Any]) -> Iterator[str]:
    for chunk in CHUNKS:
        assert running_summarizer() == "stream"
        yield chunk


@decorate
async def astream(history: list[Any]) -> AsyncIterator[str]:
    for chunk in CHUNKS:
        assert running_summarizer() == "astream"
        yield chunk


def hidden(history: list[Any]) -> Any:
    return (chunk for chunk in CHUNKS)


def ahidden(history: list[Any]) -> Any:
    async def chunks() -> AsyncIterator[str]:
        for chunk in CHUNKS:
            yield chunk

    return chunks()


async def taken(chunks: Any, most: int = 99) -> list[str]:
    """The chunks of either kind of stream, which is closed after the last one that is wanted."""
    if inspect.isasyncgen(chunks):
        found = []
        async for chunk in chunks:
            found.append(chunk)
            if len(found) == most:
                break
        await chunks.aclose()
        return found
    found = []
    for chunk in chunks:
        found.append(chunk)
        if len(found) == most:
            break
    chunks.close()
    return found


both = pytest.mark.parametrize("function", [stream, astream], ids=["generator", "async generator"])
all_kinds = pytest.mark.parametrize(
    "function",
    [stream, astream, decorate(hidden), decorate(ahidden)],
    ids=["sync", "async", "hidden", "hidden async"],
)


@all_kinds
async def test_a_stream_is_marked_in_front_and_registered_at_its_end(function: Any) -> None:
    """The first chunk that says something carries the mark; white space before it stays where it was."""
    chunks = await taken(function(["hi"]))
    (call_id,) = marked_ids("".join(chunks))
    assert chunks == ["", "\n", f"{mark(call_id)} The user asks", " why the build", " was red."]
    assert {type(chunk) for chunk in chunks} == {DerivedStr}
    call = registry.by_id(call_id)
    assert call is not None
    assert (call.digest, call.length) == (digest_of_whole(WHOLE), len(WHOLE))
    for again in ("".join(chunks), WHOLE, chunks[-1]):
        with pytest.raises(DerivedAgainError):
            await taken(function([again]))


@both
async def test_a_stream_that_is_closed_early_is_registered_as_far_as_it_went(function: Any) -> None:
    """What the caller has is what is known again."""
    chunks = await taken(function(["hi"]), 3)
    call = registry.by_id(marked_ids("".join(chunks))[0])
    assert call is not None
    assert call.digest == digest_of_whole("The user asks")


@both
async def test_the_caller_of_a_stream_reads_summaries_between_chunks(function: Any) -> None:
    """Only the function runs as a summarizer; the loop over its chunks shows them to the user."""
    chunks = function(["hi"])
    await (anext(chunks) if inspect.isasyncgen(chunks) else taken(chunks, 1))
    assert running_summarizer() is None
    assert expose(derived().text) == "a red build"
    if inspect.isasyncgen(chunks):
        await chunks.aclose()


def test_the_kind_of_a_stream_is_kept() -> None:
    """Servers ask `inspect` how to send it."""
    assert inspect.isgeneratorfunction(stream)
    assert inspect.isasyncgenfunction(astream)
    assert stream.__name__ == "stream"


FAILING: list[list[Any]] = [[], ["", " "], ["Error: ", "overloaded"]]


@pytest.mark.parametrize("chunks", FAILING, ids=["nothing", "blank", "error text"])
async def test_a_stream_that_is_no_summary_is_not_registered(chunks: list[Any]) -> None:
    """As with a function that returns it; a mark that went out already still refuses."""
    own = MemoryRegistry()

    async def later() -> AsyncIterator[Any]:
        for chunk in chunks:
            yield chunk

    await taken(derives(store=own)(lambda: (chunk for chunk in chunks))())  # type: ignore[misc]
    await taken(derives(store=own)(later)())
    assert len(own) == 0


@pytest.mark.parametrize("decorated", [True, False], ids=["chunk of a call inside", "plain chunk"])
def test_a_chunk_of_an_inner_stream_keeps_its_mark(decorated: bool) -> None:
    """A stream that hands on another one is not marked twice."""
    own = MemoryRegistry()

    @derives(store=own)
    def outer() -> Iterator[str]:
        yield from stream(["hi"]) if decorated else CHUNKS

    text = "".join(outer())
    assert len(marked_ids(text)) == 1
    assert len(own) == (0 if decorated else 1)


async def test_a_chunk_that_is_no_text_is_rejected() -> None:
    """A response event in place of its text is a slip at the decorator."""

    async def later() -> AsyncIterator[Any]:
        yield {"delta": "x"}

    with pytest.raises(SummaryRejected, match="gave a dict"):
        next(decorate(lambda: (event for event in [{"delta": "x"}]))())  # type: ignore[call-overload, misc]
    with pytest.raises(SummaryRejected, match="gave a dict"):
        await anext(decorate(later)())  # type: ignore[arg-type]


@both
async def test_a_stream_cannot_format_an_earlier_summary(function: Any) -> None:
    """At any chunk."""
    summary = DerivedStr("secret")

    def bad() -> Iterator[str]:
        yield "ok"
        yield f"{summary}"

    async def abad() -> AsyncIterator[str]:
        yield "ok"
        yield f"{summary}"

    with pytest.raises(RewritePolicyError):
        await taken(decorate(bad if function is stream else abad)())


async def test_what_a_caller_sends_and_throws_reaches_the_function() -> None:
    """A generator stays a generator, with its return value."""
    seen: list[object] = []

    @decorate
    def talk() -> Generator[str, str, int]:
        seen.append((yield "first chunk"))
        try:
            yield "second chunk"
        except ValueError as error:
            seen.append(error)
        yield "third chunk"
        return 7

    @decorate
    async def atalk() -> AsyncGenerator[str, str]:
        seen.append((yield "first chunk"))
        try:
            yield "second chunk"
        except ValueError as error:
            seen.append(error)
        yield "third chunk"

    talking, error = talk(), ValueError()
    next(talking)
    assert (talking.send("hello"), talking.throw(error)) == ("second chunk", "third chunk")
    with pytest.raises(StopIteration) as end:
        next(talking)
    assert (end.value.value, seen) == (7, ["hello", error])

    atalking = atalk()
    await anext(atalking)
    assert (await atalking.asend("hello"), await atalking.athrow(error)) == ("second chunk", "third chunk")
    with pytest.raises(StopAsyncIteration):
        await anext(atalking)
    assert seen == ["hello", error] * 2


@both
async def test_a_stream_that_fails_is_not_registered(function: Any) -> None:
    """Its error passes through; the mark of what went out already still refuses."""
    own = MemoryRegistry()

    def bad() -> Iterator[str]:
        yield "The user asks"
        raise TimeoutError

    async def abad() -> AsyncIterator[str]:
        yield "The user asks"
        raise TimeoutError

    with pytest.raises(TimeoutError):
        await taken(derives(store=own)(bad if function is stream else abad)())
    assert len(own) == 0
    assert running_summarizer() is None


async def test_without_a_mark_a_stream_is_known_by_its_whole_text() -> None:
    """Its chunks come unchanged."""
    plain = derives(store=MemoryRegistry(), mark=False)(lambda history: (chunk for chunk in CHUNKS))
    assert list(plain([])) == CHUNKS
    with pytest.raises(DerivedAgainError):
        list(plain([WHOLE.strip()]))
