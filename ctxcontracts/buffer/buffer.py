"""The context buffer: what users hold. It guards, measures and runs summarizers; `session.py` keeps the state."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NoReturn, ParamSpec, Self, SupportsIndex, cast, final

from ctxcontracts.buffer import refusal
from ctxcontracts.buffer.attempt import Attempt
from ctxcontracts.buffer.claim import claim_derived, claim_observed
from ctxcontracts.buffer.messages import redacted_message, taken_messages
from ctxcontracts.buffer.meter import Meter, Redact
from ctxcontracts.buffer.offload import mended_first, off_loop
from ctxcontracts.buffer.plan import plan_observe, plan_observe_all, plan_prune
from ctxcontracts.buffer.session import Decide, Session, checked_name, fresh_name
from ctxcontracts.buffer.verification import Verification
from ctxcontracts.buffer.view import BufferView
from ctxcontracts.coldstore.forgetting import Forgetting
from ctxcontracts.coldstore.memory import MemoryStore
from ctxcontracts.coldstore.protocol import ColdStore
from ctxcontracts.coldstore.sqlite import SQLiteStore
from ctxcontracts.contracts.guards import guard_async_summarizer, guard_spans, guard_summarizer
from ctxcontracts.contracts.predicates import (
    may_be_rederived,
    may_be_rewritten,
    none_live,
    observed_as_given,
    rederived_from,
    rewritten_from,
    text_is_observed,
)
from ctxcontracts.contracts.spec import ensure, over_spans, require
from ctxcontracts.contracts.watch import Reentry, watch_named
from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.seal import refuse_copy, refuse_subclass
from ctxcontracts.spans.span import AnySpan, DerivedSpan, ObservedSpan
from ctxcontracts.spans.summarizer import AsyncSummarizer, Summarizer
from ctxcontracts.spans.text import ObservedText
from ctxcontracts.spans.tokens import TokenCounter, estimate_tokens

P = ParamSpec("P")

_WORTH_A_SNAPSHOT = 100
"""Entries that take longer to replay than a snapshot takes to write."""

# How an error names the call that it refuses.
_OBSERVE = "buffer.observe(text)"
_OBSERVE_ALL = "buffer.observe_all(texts)"
_FROM_MESSAGES = "ContextBuffer.from_messages(messages)"
_PRUNE = "buffer.prune(spans)"
_REWRITE = "buffer.rewrite(spans, by)"
_AREWRITE = "buffer.arewrite(spans, by)"
_REDERIVE = "buffer.rederive(spans, by)"
_AREDERIVE = "buffer.arederive(spans, by)"


@final
class ContextBuffer(BufferView):
    """The context of one session, as spans in order. Any thread may call any method.

    Args:
        store: where originals and journal are kept; a `MemoryStore` of its own when left out.
        session: the session to resume or to begin; a fresh random name when left out.
        count_tokens: how sizes are counted. A span keeps the size that it was given once.
        reentry: what is done when a summary comes back as an original: nothing ("off"), a `ReentryWarning` ("warn"),
            or a refusal where the whole text is one and a warning where only much of it is ("refuse").
        redact: gives a text without what must not be kept. It sees every text before it is counted, hashed or stored,
            summaries too; spans hold what it gave.

    Raises:
        ColdStoreError: when the journal of the session cannot be read.
        CtxContractsError: when the session name cannot stand in ids, the store is none, or the counter no function.
    """

    def __init__(
        self,
        store: ColdStore | None = None,
        *,
        session: str | None = None,
        count_tokens: TokenCounter = estimate_tokens,
        reentry: Reentry = "warn",
        redact: Redact | None = None,
    ) -> None:
        self._owned: ColdStore | None = None
        self._watch = watch_named(reentry)
        self._meter = Meter(count_tokens, redact)
        name = fresh_name() if session is None else checked_name(session)
        super().__init__(Session(MemoryStore() if store is None else store, name, counter=self._meter.name))

    def __init_subclass__(cls) -> None:
        refuse_subclass("ContextBuffer")

    @classmethod
    def open(
        cls,
        path: str | os.PathLike[str],
        session: str,
        *,
        count_tokens: TokenCounter = estimate_tokens,
        reentry: Reentry = "warn",
        redact: Redact | None = None,
    ) -> Self:
        """A buffer on a SQLite store, resumed exactly where its journal ends. Close it, or use `with`.

        Args:
            path: the file of the store; it is created when it is missing.
            session: the session to resume or to begin.
            count_tokens: how sizes are counted.
            reentry: as in the constructor.
            redact: as in the constructor.

        Raises:
            ColdStoreError: when the file cannot be used, or the journal cannot be read.
        """
        store = SQLiteStore(path)
        try:
            buffer = cls(store, session=session, count_tokens=count_tokens, reentry=reentry, redact=redact)
        except BaseException:
            store.close()
            raise
        buffer._owned = store
        return buffer

    @classmethod
    def from_messages(  # noqa: PLR0913 - those of the constructor, by name
        cls,
        messages: Sequence[Mapping[str, object]],
        *,
        store: ColdStore | None = None,
        session: str | None = None,
        count_tokens: TokenCounter = estimate_tokens,
        reentry: Reentry = "warn",
        redact: Redact | None = None,
    ) -> Self:
        """A new buffer that holds plain chat messages, as originals, in one transaction.

        Roles are `system` (pinned), `developer` (pinned), `user`, `assistant` and `tool`; content is a text or a list
        of text parts. Names, tool calls and their ids are kept and rendered again (`shape.py`).

        Args:
            messages: the messages.
            store: as in the constructor.
            session: as in the constructor, but a new one.
            count_tokens: as in the constructor.
            reentry: as in the constructor.
            redact: as in the constructor.

        Raises:
            ProvenanceError: when a message carries derived text, or something that a span cannot hold.
            CtxContractsError: when the session has a past already.
            ColdStoreError: when the store cannot keep them.
        """
        taken = taken_messages(messages)
        buffer = cls(store, session=session, count_tokens=count_tokens, reentry=reentry, redact=redact)
        if not buffer._session.is_new:
            raise refusal.session_in_use(buffer.session)
        meter = buffer._meter
        if redact is not None:  # piece by piece, since a message knows how long its pieces are
            taken, meter = taken_messages([redacted_message(one, meter.redacted) for one in messages]), meter.plain
        arrivals = [
            meter.arrival(text, _FROM_MESSAGES, pinned=pinned, message=message) for text, pinned, message in taken
        ]
        buffer._session.write_all(plan_observe_all, arrivals)
        return buffer

    def __reduce_ex__(self, protocol: SupportsIndex) -> NoReturn:
        refuse_copy("ContextBuffer")

    def __repr__(self) -> str:
        return f"<ContextBuffer {self.session}, {len(self)} spans, {self.tokens} tokens>"

    @require(text_is_observed, call=_OBSERVE)
    @ensure(observed_as_given, call=_OBSERVE)
    def observe(self, text: ObservedText, *, pinned: bool = False) -> ObservedSpan:
        """The new last span of the window, with its original durable in the cold store.

        Args:
            text: what a door gave.
            pinned: whether no rewrite and no policy may remove it (an explicit prune may).

        Raises:
            ProvenanceError: when the text came through no door.
            ReentryError: when it is the whole text of a summary, and that is refused.
            ColdStoreError: when the store cannot keep it.
            StaleSession: when someone else wrote to the session.
        """
        arrival = self._meter.arrival(text, _OBSERVE, pinned=pinned)
        self._session.listen(self._watch, (arrival,), _OBSERVE)
        change: Any = self._session.write(plan_observe, arrival)
        span: ObservedSpan = change.span
        return span

    def observe_all(self, texts: Iterable[ObservedText], *, pinned: bool = False) -> tuple[ObservedSpan, ...]:
        """As `observe`, for several texts in one transaction: all or none. Raises as it does."""
        if isinstance(texts, str) or not isinstance(texts, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise refusal.no_list(_OBSERVE_ALL, texts)
        arrivals = [self._meter.arrival(text, _OBSERVE_ALL, pinned=pinned) for text in texts]
        self._session.listen(self._watch, arrivals, _OBSERVE_ALL)
        changes = self._session.write_all(plan_observe_all, arrivals)
        return tuple(cast("ObservedSpan", change.span) for change in changes)

    async def aobserve(self, text: ObservedText, *, pinned: bool = False) -> ObservedSpan:
        """As `observe`, with the store written in a thread. Raises as it does."""
        return await off_loop(self.observe, text, pinned=pinned)

    async def aobserve_all(self, texts: Iterable[ObservedText], *, pinned: bool = False) -> tuple[ObservedSpan, ...]:
        """As `observe_all`, with the store written in a thread. Raises as it does."""
        return await off_loop(self.observe_all, texts, pinned=pinned)

    @ensure(none_live, call=_PRUNE)
    def prune(self, spans: AnySpan | Iterable[AnySpan]) -> tuple[SourceId | DerivedId, ...]:
        """Removes spans from the window; their originals stay in the cold store. Pruning twice is pruning once.

        Args:
            spans: one span or several, live or gone, pinned or not.

        Returns:
            The ids of the spans that left now.

        Raises:
            ProvenanceError: when something given is no span; then none leaves.
            UnknownSpanError: when a span was never in this buffer; then none leaves.
            ColdStoreError: when the store cannot keep the entry.
            StaleSession: when someone else wrote to the session.
        """
        change = self._session.write(plan_prune, guard_spans(_listed(spans), call=_PRUNE))
        return () if change is None else change.removed

    async def aprune(self, spans: AnySpan | Iterable[AnySpan]) -> tuple[SourceId | DerivedId, ...]:
        """As `prune`, with the store written in a thread. Raises as it does."""
        return await off_loop(self.prune, spans)

    @over_spans(require(may_be_rewritten, call=_REWRITE), ensure(rewritten_from, call=_REWRITE))
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
                when an option holds derived text.
            ProvenanceError: when `by` is not sealed by `@summarizer`.
            PinnedSpanError: when a span is pinned.
            UnknownSpanError: when a span is of another buffer.
            StaleRewrite: when a span was pruned, or someone else rewrites or prunes it meanwhile.
            SummaryRejected: when the summary is empty, an error text, or no smaller than its sources.
            ColdStoreError: when the store cannot keep it.
            StaleSession: when someone else wrote to the session.
        """
        guard_summarizer(by, call=_REWRITE)
        with self._attempt(claim_observed, spans, _REWRITE) as attempt:
            text = by(attempt.live, *args, **kwargs)
            return attempt.commit(text, by.__name__, attempt.live)

    @mended_first
    @over_spans(require(may_be_rewritten, call=_AREWRITE), ensure(rewritten_from, call=_AREWRITE))
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
        guard_async_summarizer(by, call=_AREWRITE)
        with self._attempt(claim_observed, spans, _AREWRITE) as attempt:
            text = await by(attempt.live, *args, **kwargs)
            return await off_loop(attempt.commit, text, by.__name__, attempt.live)

    @over_spans(require(may_be_rederived, call=_REDERIVE), ensure(rederived_from, call=_REDERIVE))
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
            RewritePolicyError: when a span is not derived or stands there twice, or there is none; when an option
                holds derived text.
            ProvenanceError: when `by` is not sealed by `@summarizer`.
            UnknownSpanError: when a span is of another buffer.
            StaleRewrite: when a span was pruned or replaced, or someone else works on it meanwhile.
            SummaryRejected: when the summary is empty, an error text, or no smaller than its originals.
            OriginalMissingError: when an original is not in the store.
            DamagedOriginalError: when an original does not have its digest.
            ColdStoreError: when the store cannot keep the result.
            StaleSession: when someone else wrote to the session.
        """
        guard_summarizer(by, call=_REDERIVE)
        with self._attempt(claim_derived, spans, _REDERIVE) as attempt:
            originals = attempt.originals()
            text = by(originals, *args, **kwargs)
            return attempt.commit(text, by.__name__, originals)

    @mended_first
    @over_spans(require(may_be_rederived, call=_AREDERIVE), ensure(rederived_from, call=_AREDERIVE))
    async def arederive(
        self,
        spans: DerivedSpan | Sequence[DerivedSpan],
        by: AsyncSummarizer[P],
        /,
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> DerivedSpan:
        """As `rederive`, with an async summarizer; the store is used in a thread. Raises as `rederive` does."""
        guard_async_summarizer(by, call=_AREDERIVE)
        with self._attempt(claim_derived, spans, _AREDERIVE) as attempt:
            originals = await off_loop(attempt.originals)
            text = await by(originals, *args, **kwargs)
            return await off_loop(attempt.commit, text, by.__name__, originals)

    def forget(self, sources: SourceId | Iterable[SourceId], *, reason: str, key: bytes | None = None) -> Forgetting:
        """Removes originals from the cold store for good, and from the window with all that was made from them.

        The only way to delete a text; see `ColdStore.forget` for what is kept of it.

        Args:
            sources: the ids of the originals, live or not, pinned or not.
            reason: why; it is kept for ever.
            key: for the hashes that are kept of the texts.

        Raises:
            OriginalMissingError: when there is no original under an id; then nothing is forgotten.
            ColdStoreError: when the store cannot be written.
        """
        return self._session.forget(sources, reason=reason, key=key)

    async def aforget(
        self, sources: SourceId | Iterable[SourceId], *, reason: str, key: bytes | None = None
    ) -> Forgetting:
        """As `forget`, with the store written in a thread. Raises as it does."""
        return await off_loop(self.forget, sources, reason=reason, key=key)

    async def aoriginal(self, source: SourceId, /) -> ObservedSpan:
        """As `original`, with the store read in a thread. Raises as it does."""
        return await off_loop(self.original, source)

    async def averify(self) -> Verification:
        """As `verify`, with the store read in a thread."""
        return await off_loop(self.verify)

    def reload(self) -> None:
        """Reads the journal again, with what other buffers and processes have written: after a `StaleSession`.

        Raises:
            ColdStoreError: when the journal cannot be read.
        """
        self._session.reload()

    async def areload(self) -> None:
        """As `reload`, with the store read in a thread. Raises as it does."""
        await off_loop(self.reload)

    def close(self) -> None:
        """Closes the store, if `open` opened it for this buffer, and leaves a snapshot for the next opening."""
        if self._owned is not None:
            self._session.keep(least=_WORTH_A_SNAPSHOT)
            self._owned.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *exc_info: object) -> None:
        self.close()

    def _attempt(self, decide: Decide, spans: object, call: str) -> Attempt:
        return Attempt(self._session, self._meter, call, decide=decide, spans=spans)


def _listed(spans: object) -> object:
    """What an iterable gives, generators too; what is none is left for the guard."""
    if type(spans) is ObservedSpan or not isinstance(spans, Iterable):
        return spans
    return tuple(cast("Iterable[object]", spans))
