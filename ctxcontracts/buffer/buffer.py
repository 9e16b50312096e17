"""The context buffer: what users hold. It guards, measures and runs summarizers; `session.py` keeps the state."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from typing import ParamSpec, Self, cast, final

from ctxcontracts.buffer import refusal
from ctxcontracts.buffer.claim import Claim, claim_derived, claim_observed
from ctxcontracts.buffer.meter import Meter
from ctxcontracts.buffer.offload import off_loop
from ctxcontracts.buffer.plan import plan_observe, plan_prune, plan_rewrite
from ctxcontracts.buffer.rendered import Rendered, rendered, rendered_text
from ctxcontracts.buffer.session import Session, checked_name, fresh_name
from ctxcontracts.buffer.summary import check_smaller, check_summary
from ctxcontracts.buffer.verification import Verification, verified
from ctxcontracts.buffer.window import Change, Window
from ctxcontracts.coldstore.memory import MemoryStore
from ctxcontracts.coldstore.protocol import ColdStore
from ctxcontracts.coldstore.sqlite import SQLiteStore
from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.record import DerivedRecord, digest_of
from ctxcontracts.spans.running import refuse_while_summarizing
from ctxcontracts.spans.span import AnySpan, DerivedSpan, ObservedSpan
from ctxcontracts.spans.summarizer import AsyncSummarizer, Summarizer
from ctxcontracts.spans.text import DerivedText, ObservedText, raw_derived
from ctxcontracts.spans.tokens import TokenCounter, estimate_tokens

P = ParamSpec("P")


@final
class ContextBuffer:
    """The context of one session, as spans in order. Any thread may call any method.

    Args:
        store: where originals and journal are kept; a `MemoryStore` of its own when left out.
        session: the session to resume or to begin; a fresh random name when left out.
        count_tokens: how sizes are counted. A span keeps the size that it was given once.

    Raises:
        ColdStoreError: when the journal of the session cannot be read.
        CtxContractsError: when the session name cannot stand in ids.
    """

    def __init__(
        self,
        store: ColdStore | None = None,
        *,
        session: str | None = None,
        count_tokens: TokenCounter = estimate_tokens,
    ) -> None:
        self._owned: ColdStore | None = None
        self._meter = Meter(count_tokens)
        name = fresh_name() if session is None else checked_name(session)
        self._session = Session(MemoryStore() if store is None else store, name, counter=self._meter.name)

    @classmethod
    def open(
        cls, path: str | os.PathLike[str], session: str, *, count_tokens: TokenCounter = estimate_tokens
    ) -> Self:
        """A buffer on a SQLite store, resumed exactly where its journal ends. Close it, or use `with`.

        Args:
            path: the file of the store; it is created when it is missing.
            session: the session to resume or to begin.
            count_tokens: how sizes are counted.

        Raises:
            ColdStoreError: when the file cannot be used, or the journal cannot be read.
        """
        store = SQLiteStore(path)
        try:
            buffer = cls(store, session=session, count_tokens=count_tokens)
        except BaseException:
            store.close()
            raise
        buffer._owned = store
        return buffer

    @property
    def session(self) -> str:
        """The name of the session."""
        return self._session.name

    @property
    def store(self) -> ColdStore:
        """The cold store."""
        return self._session.store

    @property
    def tokens(self) -> int:
        """The size of the window: the sum over its live spans."""
        return self._session.tokens

    @property
    def spans(self) -> tuple[AnySpan, ...]:
        """The live spans, in order."""
        return self._session.read(_live)

    def __len__(self) -> int:
        return self._session.read(_number_live)

    def __bool__(self) -> bool:
        """Always true: an empty buffer is a buffer."""
        return True

    def __iter__(self) -> Iterator[AnySpan]:
        return iter(self.spans)

    def __repr__(self) -> str:
        return f"<ContextBuffer {self.session}, {len(self)} spans, {self.tokens} tokens>"

    def observe(self, text: ObservedText, *, pinned: bool = False) -> ObservedSpan:
        """The new last span of the window, with its original durable in the cold store.

        Args:
            text: what a door gave.
            pinned: whether no rewrite and no policy may remove it (an explicit prune may).

        Raises:
            ProvenanceError: when the text went through no door.
            ColdStoreError: when the store cannot keep it.
            StaleSession: when someone else wrote to the session.
        """
        arrival = self._meter.arrival(text, "observe", pinned=pinned)
        (change,) = self._session.write(lambda window: (plan_observe(window, arrival),))
        return cast("ObservedSpan", change.span)

    def observe_all(self, texts: Iterable[ObservedText], *, pinned: bool = False) -> tuple[ObservedSpan, ...]:
        """As `observe`, for several texts in one transaction: all or none. Raises as it does."""
        arrivals = [self._meter.arrival(text, "observe_all", pinned=pinned) for text in texts]
        changes = self._session.write(
            lambda window: [plan_observe(window, arrival, ahead=n) for n, arrival in enumerate(arrivals)]
        )
        return tuple(cast("ObservedSpan", change.span) for change in changes)

    def prune(self, spans: AnySpan | Iterable[AnySpan]) -> tuple[SourceId | DerivedId, ...]:
        """Removes spans from the window; their originals stay in the cold store. Pruning twice is pruning once.

        Args:
            spans: one span or several, live or gone, pinned or not.

        Returns:
            The ids of the spans that left now.

        Raises:
            UnknownSpanError: when a span was never in this buffer; then none leaves.
            ColdStoreError: when the store cannot keep the entry.
            StaleSession: when someone else wrote to the session.
        """
        taken = _listed(spans)

        def plan(window: Window) -> Sequence[Change]:
            change = plan_prune(window, taken)
            return () if change is None else (change,)

        changes = self._session.write(plan)
        return cast("tuple[SourceId | DerivedId, ...]", changes[0].removed) if changes else ()

    def rewrite(
        self, spans: ObservedSpan | Sequence[ObservedSpan], by: Summarizer[P], /, *args: P.args, **kwargs: P.kwargs
    ) -> DerivedSpan:
        """Replaces live observed spans by one summary, in the place of the first of them.

        The summarizer runs without any lock. What it raises passes through, and then nothing has changed.

        Args:
            spans: one observed span or several; the summarizer gets them in the order of the window.
            by: a function under `@summarizer`.
            args: options of the summarizer.
            kwargs: options of the summarizer.

        Raises:
            RewritePolicyError: when a span is derived or was rewritten before, stands there twice, or there is none;
                when `by` is not sealed, or an option holds derived text.
            PinnedSpanError: when a span is pinned.
            UnknownSpanError: when a span is of another buffer.
            StaleRewrite: when a span was pruned, or someone else rewrites or prunes it meanwhile.
            SummaryRejected: when the summary is empty, an error text, or no smaller than its sources.
            ColdStoreError: when the store cannot keep it.
            StaleSession: when someone else wrote to the session.
        """
        if not isinstance(by, Summarizer):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            raise refusal.no_summarizer("rewrite", by, "@summarizer")
        claim = self._claim_observed("rewrite", spans)
        try:
            text = by(cast("tuple[ObservedSpan, ...]", claim.spans), *args, **kwargs)
            return self._commit("rewrite", claim, text, by=by.__name__, size=_size(claim.spans))
        finally:
            self._session.release(claim)

    async def arewrite(
        self,
        spans: ObservedSpan | Sequence[ObservedSpan],
        by: AsyncSummarizer[P],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> DerivedSpan:
        """As `rewrite`, with an async summarizer; the store is written in a thread. Raises as `rewrite` does.

        A cancellation before the commit changes nothing; one during the commit arrives when it has ended.
        """
        if not isinstance(by, AsyncSummarizer):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise refusal.no_summarizer("arewrite", by, "@async_summarizer")
        claim = self._claim_observed("arewrite", spans)
        try:
            text = await by(cast("tuple[ObservedSpan, ...]", claim.spans), *args, **kwargs)
            size = _size(claim.spans)
            return await off_loop(self._commit, "arewrite", claim, text, by=by.__name__, size=size)
        finally:
            self._session.release(claim)

    def rederive(
        self, spans: DerivedSpan | Sequence[DerivedSpan], by: Summarizer[P], /, *args: P.args, **kwargs: P.kwargs
    ) -> DerivedSpan:
        """Replaces live summaries by one that is made anew from the union of their originals.

        The originals come from the cold store, each with its digest recomputed. The result has to be smaller than
        its originals; to repair a bad summary it may be larger than what it replaces.

        Args:
            spans: one derived span or several.
            by: a function under `@summarizer`.
            args: options of the summarizer.
            kwargs: options of the summarizer.

        Raises:
            RewritePolicyError: when a span is not derived or stands there twice, or there is none; when `by` is not
                sealed, or an option holds derived text.
            UnknownSpanError: when a span is of another buffer.
            StaleRewrite: when a span was pruned or replaced, or someone else works on it meanwhile.
            SummaryRejected: when the summary is empty, an error text, or no smaller than its originals.
            OriginalMissingError: when an original is not in the store.
            DamagedOriginalError: when an original does not have its digest.
            ColdStoreError: when the store cannot keep the result.
            StaleSession: when someone else wrote to the session.
        """
        if not isinstance(by, Summarizer):  # pyright: ignore[reportUnnecessaryIsInstance] - callers without types
            raise refusal.no_summarizer("rederive", by, "@summarizer")
        claim = self._claim_derived("rederive", spans)
        try:
            originals = self._originals(claim)
            text = by(originals, *args, **kwargs)
            return self._commit("rederive", claim, text, by=by.__name__, size=_size(originals))
        finally:
            self._session.release(claim)

    async def arederive(
        self,
        spans: DerivedSpan | Sequence[DerivedSpan],
        by: AsyncSummarizer[P],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> DerivedSpan:
        """As `rederive`, with an async summarizer; the store is used in a thread. Raises as `rederive` does."""
        if not isinstance(by, AsyncSummarizer):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise refusal.no_summarizer("arederive", by, "@async_summarizer")
        claim = self._claim_derived("arederive", spans)
        try:
            originals = await off_loop(self._originals, claim)
            text = await by(originals, *args, **kwargs)
            size = _size(originals)
            return await off_loop(self._commit, "arederive", claim, text, by=by.__name__, size=size)
        finally:
            self._session.release(claim)

    def original(self, source: SourceId, /) -> ObservedSpan:
        """An original from the cold store, live or not, with its digest recomputed.

        Raises:
            OriginalMissingError: when there is none under this id.
            DamagedOriginalError: when what is kept does not have its digest.
        """
        return self.store.fetch(source)

    def render(self) -> Rendered:
        """The flat messages for the model. No door takes them, nor a summarizer.

        Raises:
            RewritePolicyError: when called while a summarizer runs.
        """
        refuse_while_summarizing("render()")
        spans, messages = self._session.read(lambda window: (_live(window), dict(window.messages)))
        return rendered(spans, messages)

    def verify(self) -> Verification:
        """An audit of every live span against the cold store: false when it found damage. It changes nothing."""
        return verified(self.spans, self.store)

    def close(self) -> None:
        """Closes the store, if `open` opened it for this buffer."""
        if self._owned is not None:
            self._owned.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def _claim_observed(self, call: str, spans: ObservedSpan | Sequence[ObservedSpan]) -> Claim:
        taken = _listed(spans)
        return self._session.claim(lambda window: claim_observed(window, taken, call))

    def _claim_derived(self, call: str, spans: DerivedSpan | Sequence[DerivedSpan]) -> Claim:
        taken = _listed(spans)
        return self._session.claim(lambda window: claim_derived(window, taken, call))

    def _originals(self, claim: Claim) -> tuple[ObservedSpan, ...]:
        return tuple(self.store.fetch(source) for source in claim.sources)

    def _commit(self, call: str, claim: Claim, text: DerivedText, *, by: str, size: int) -> DerivedSpan:
        """The second phase: refuses a bad summary, else stores it and swaps it in.

        Args:
            call: the method, for messages.
            claim: what the first phase claimed.
            text: what the summarizer wrote.
            by: its name.
            size: the size of the originals.
        """
        raw = raw_derived(text)
        check_summary(raw, by)
        tokens = self._meter.tokens(rendered_text(claim.id, raw))
        check_smaller(tokens, size, by)
        record = DerivedRecord(claim.id, raw, digest_of(raw), claim.sources, tokens, by)
        (change,) = self._session.write(lambda window: (plan_rewrite(window, claim, record, call=call),))
        return cast("DerivedSpan", change.span)


def _live(window: Window) -> tuple[AnySpan, ...]:
    return tuple(window.slots.values())


def _number_live(window: Window) -> int:
    return len(window.slots)


def _size(spans: Iterable[AnySpan]) -> int:
    return sum(span.tokens for span in spans)


def _listed(spans: object) -> tuple[object, ...]:
    """One span or several as a tuple; what is no span is refused later, with its place."""
    return tuple(cast("Iterable[object]", spans)) if isinstance(spans, Iterable) else (spans,)
