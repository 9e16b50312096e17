"""A stateful test of the buffer against a model of a few lines: lists of ids and a table of sizes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, multiple, precondition, rule

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.buffer.window import is_well_formed
from ctxcontracts.coldstore import ColdStore, MemoryStore
from ctxcontracts.errors import ForgottenError, RewritePolicyError, StaleRewrite, StaleSession, SummaryRejected
from ctxcontracts.spans import (
    DerivedSpan,
    ObservedSpan,
    assistant_text,
    async_summarizer,
    summarizer,
    system_text,
    user_text,
)
from tests.support.buffers import WORDS, summary_of

DOORS: list[Callable[[str], Any]] = [user_text, assistant_text, system_text]


@summarizer
def naming(spans: Sequence[ObservedSpan], extra: str = "") -> str:
    """The first line of every source, so that a summary says what it was really made from."""
    return " ".join(span.text.partition("\n")[0] for span in spans) + extra


@async_summarizer
async def anaming(spans: Sequence[ObservedSpan]) -> str:
    await asyncio.sleep(0)
    return " ".join(span.text.partition("\n")[0] for span in spans)


class BufferMachine(RuleBasedStateMachine):
    """The model: what is live in order, what each span was made from, how large it is, what has left."""

    observed = Bundle("observed")
    derived = Bundle("derived")

    def __init__(self) -> None:
        super().__init__()
        self.store = self.make_store()
        self.buffer = ContextBuffer(self.store, session="s")
        self.live: list[str] = []
        self.sources: dict[str, list[str]] = {}
        self.sizes: dict[str, int] = {}
        self.texts: dict[str, str] = {}
        self.pinned: set[str] = set()
        self.rewritten: set[str] = set()
        self.forgotten: set[str] = set()

    def make_store(self) -> ColdStore:
        return MemoryStore()

    @rule(target=observed, door=st.sampled_from(DOORS), pinned=st.booleans())
    def observe(self, door: Callable[[str], Any], pinned: bool) -> ObservedSpan:
        text = f"t{len(self.sizes)}\n{WORDS}"
        span = self.buffer.observe(door(text), pinned=pinned)
        assert span.id not in self.sizes, "an id was given twice"
        self.live.append(span.id)
        self.sizes[span.id], self.texts[span.id] = span.tokens, text
        if pinned:
            self.pinned.add(span.id)
        return span

    @initialize(target=observed, number=st.integers(1, 3))
    def begin(self, number: int) -> Any:
        return self.observe_all(number)

    @rule(target=observed, number=st.integers(1, 3))
    def observe_all(self, number: int) -> Any:
        texts = [f"t{len(self.sizes) + n}\n{WORDS}" for n in range(number)]
        spans = self.buffer.observe_all([user_text(text) for text in texts])
        for span, text in zip(spans, texts, strict=True):
            assert span.id not in self.sizes, "an id was given twice"
            self.live.append(span.id)
            self.sizes[span.id], self.texts[span.id] = span.tokens, text
        return multiple(*spans)

    @rule(span=observed | derived)
    def prune_one(self, span: Any) -> None:
        self.prune([span])

    @precondition(lambda self: self.live)
    @rule()
    def prune_last(self) -> None:
        self.prune(self.buffer.spans[-1:])

    @rule(spans=st.lists(observed | derived, min_size=1, max_size=3))
    def prune(self, spans: Sequence[Any]) -> None:
        leaving = {span.id for span in spans} & set(self.live)
        assert set(self.buffer.prune(spans)) == leaving
        self.live = [name for name in self.live if name not in leaving]
        assert self.buffer.prune(spans) == ()

    @rule(target=derived, span=observed)
    def rewrite_one(self, span: ObservedSpan) -> Any:
        return self.rewrite([span])

    @precondition(lambda self: set(self.live) & self.texts.keys() - self.pinned)
    @rule(target=derived, number=st.integers(1, 3))
    def rewrite_first(self, number: int) -> Any:
        return self.rewrite(
            [span for span in self.buffer.spans if span.id in self.texts.keys() - self.pinned][:number]
        )

    @rule(target=derived, spans=st.lists(observed | derived, min_size=1, max_size=3))
    def rewrite(self, spans: list[Any]) -> Any:
        ids = [span.id for span in spans]
        allowed = (
            len(set(ids)) == len(ids)
            and all(name in self.texts and name in self.live and name not in self.pinned for name in ids)
        )  # fmt: skip
        if not allowed:
            with pytest.raises((RewritePolicyError, StaleRewrite)):
                self.buffer.rewrite(spans, naming)
            return multiple()
        made = self.buffer.rewrite(spans, naming)
        sources = sorted(ids, key=self.live.index)
        self._replace(made, sources, sources)
        self.rewritten.update(ids)
        return made

    @precondition(lambda self: set(self.live) & self.sources.keys())
    @rule(target=derived, number=st.integers(1, 3))
    def rederive_first(self, number: int) -> Any:
        return self.rederive([span for span in self.buffer.spans if isinstance(span, DerivedSpan)][:number], "")

    @rule(target=derived, spans=st.lists(derived, min_size=1, max_size=3), extra=st.sampled_from(["", " more"]))
    def rederive(self, spans: list[DerivedSpan], extra: str) -> Any:
        ids = [span.id for span in spans]
        if len(set(ids)) < len(ids) or not set(ids) <= set(self.live):
            with pytest.raises((RewritePolicyError, StaleRewrite)):
                self.buffer.rederive(spans, naming, extra)
            return multiple()
        made = self.buffer.rederive(spans, naming, extra)
        order = list(self.texts)
        sources = sorted((source for name in ids for source in self.sources[name]), key=order.index)
        self._replace(made, sorted(ids, key=self.live.index), sources, extra)
        return made

    @rule(span=observed, said=st.sampled_from(["", "Error: no model", WORDS * 2]))
    def fail(self, span: ObservedSpan, said: str) -> None:
        @summarizer
        def failing(given: Sequence[ObservedSpan]) -> str:
            return said

        with pytest.raises((SummaryRejected, RewritePolicyError, StaleRewrite)):
            self.buffer.rewrite(span, failing)

    @rule()
    def reopen(self) -> None:
        self.buffer = ContextBuffer(self.store, session="s")

    @rule()
    def leave_a_snapshot(self) -> None:
        self.buffer._session.keep()

    @rule()
    def someone_else_writes(self) -> None:
        """Another buffer on the session; this one is stale, reads the journal again, and goes on."""
        other = ContextBuffer(self.store, session="s")
        text = f"t{len(self.sizes)}\n{WORDS}"
        span = other.observe(user_text(text))
        with pytest.raises(StaleSession):
            self.buffer.observe(user_text("too late"))
        self.buffer.reload()
        self.live.append(span.id)
        self.sizes[span.id], self.texts[span.id] = span.tokens, text

    @rule(span=observed)
    def crash_in_mid_rewrite(self, span: ObservedSpan) -> None:
        """What a summarizer raises changes nothing, and the claim comes back."""

        @summarizer
        def crashing(given: Sequence[ObservedSpan]) -> str:
            raise OSError("no network")

        with pytest.raises((OSError, RewritePolicyError, StaleRewrite)):
            self.buffer.rewrite(span, crashing)

    @rule(target=observed)
    def observe_async(self) -> ObservedSpan:
        text = f"t{len(self.sizes)}\n{WORDS}"
        span = asyncio.run(self.buffer.aobserve(user_text(text)))
        self.live.append(span.id)
        self.sizes[span.id], self.texts[span.id] = span.tokens, text
        return span

    @precondition(lambda self: set(self.live) & self.texts.keys() - self.pinned)
    @rule(target=derived)
    def rewrite_async(self) -> Any:
        span = next(span for span in self.buffer.spans if span.id in self.texts.keys() - self.pinned)
        made = asyncio.run(self.buffer.arewrite(span, anaming))  # type: ignore[arg-type]
        self._replace(made, [span.id], [span.id])
        self.rewritten.add(span.id)
        return asyncio.run(self._rederived(made)) if len(self.texts) % 2 else made

    async def _rederived(self, made: DerivedSpan) -> DerivedSpan:
        again = await self.buffer.arederive(made, anaming)
        self._replace(again, [made.id], list(made.sources))
        return again

    @rule(span=observed)
    def forget(self, span: ObservedSpan) -> None:
        """The original and all that was made from it leave the window and the store."""
        done = self.buffer.forget(span.id, reason="asked for")
        made = {name for name, sources in self.sources.items() if span.id in sources}
        assert done.originals == ((span.id,) if span.id in self.texts else ())
        assert set(done.derived) == made
        for name in [span.id, *made]:
            self.live = [one for one in self.live if one != name]
            self.sources.pop(name, None)
            self.texts.pop(name, None)
            self.forgotten.add(name)

    def _replace(self, made: DerivedSpan, leaving: list[str], sources: list[str], extra: str = "") -> None:
        assert made.id not in self.sizes, "an id was given twice"
        assert made.generation == 1
        assert list(made.sources) == sources
        assert summary_of(made) == " ".join(self.texts[name].partition("\n")[0] for name in sources) + extra
        self.live[self.live.index(leaving[0])] = made.id
        self.live = [name for name in self.live if name not in leaving]
        self.sources[made.id], self.sizes[made.id] = sources, made.tokens

    @invariant()
    def same_spans_in_the_same_order(self) -> None:
        assert [span.id for span in self.buffer.spans] == self.live
        assert len(self.buffer.render()) == len(self.live)

    @invariant()
    def same_size(self) -> None:
        assert self.buffer.tokens == sum(self.sizes[name] for name in self.live)

    @invariant()
    def every_original_is_kept(self) -> None:
        for name, text in self.texts.items():
            assert self.buffer.original(name).text == text  # type: ignore[arg-type]

    @invariant()
    def everything_can_be_audited(self) -> None:
        assert self.buffer.verify().ok
        assert is_well_formed(self.buffer._session._window)
        rewritten = {source for source in self.texts if self.buffer.rewritten_into(source)}  # type: ignore[arg-type]
        assert rewritten == self.rewritten & self.texts.keys()
        for name in self.forgotten:
            with pytest.raises(ForgottenError):
                self.store.fetch(name) if ":o" in name else self.store.derived(name)  # type: ignore[arg-type]
