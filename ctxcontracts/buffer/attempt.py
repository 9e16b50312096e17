"""One attempt at a rewrite, from its claim to its commit.

    with Attempt(session, meter, call, decide=claim_observed, spans=spans) as attempt:  # claims, or says why not
        text = by(attempt.live, ...)                                                    # no lock is held
        return attempt.commit(text, by.__name__, attempt.live)                          # compare and swap

However the block ends, the claim is given back. An interrupt can come before the block has begun, or while it is
given back: then it is given back with the attempt itself.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self, cast, final

from ctxcontracts.buffer.claim import Claim
from ctxcontracts.buffer.meter import Meter
from ctxcontracts.buffer.plan import Swap, plan_rewrite
from ctxcontracts.buffer.rendered import rendered_text
from ctxcontracts.buffer.session import Decide, Session
from ctxcontracts.buffer.summary import check_smaller
from ctxcontracts.coldstore.content import digest_once
from ctxcontracts.contracts.echoes import runs_of
from ctxcontracts.contracts.guards import guard_summary
from ctxcontracts.spans.record import DerivedRecord
from ctxcontracts.spans.span import DerivedSpan, ObservedSpan
from ctxcontracts.spans.text import DerivedStr, DerivedText, raw_derived


@final
class Attempt:
    """A claim on spans, and what may become of it.

    Args:
        session: the session whose window is changed.
        meter: measures the summary.
        call: the call as the user knows it, for messages.
        decide: makes the claim.
        spans: what it is on.
    """

    __slots__ = ("_call", "_decide", "_held", "_meter", "_session", "_spans")

    def __init__(self, session: Session, meter: Meter, call: str, *, decide: Decide, spans: object) -> None:
        self._held: list[Claim] = []
        self._session = session
        self._meter = meter
        self._call = call
        self._decide = decide
        self._spans = spans

    @property
    def live(self) -> tuple[ObservedSpan, ...]:
        """The claimed observed spans, in the order of the window."""
        return cast("tuple[ObservedSpan, ...]", self._held[0].spans)

    def originals(self) -> tuple[ObservedSpan, ...]:
        """The originals below the claimed derived spans, from the cold store, each hashed again.

        Raises:
            OriginalMissingError: when one is not there.
            DamagedOriginalError: when one does not have its digest.
        """
        return tuple([self._session.store.fetch(source) for source in self._held[0].sources])

    def commit(self, text: DerivedText, by: str, sources: Sequence[ObservedSpan]) -> DerivedSpan:
        """Refuses a bad summary; else makes it durable, and swaps it in if all claimed spans are still there.

        Args:
            text: what the summarizer wrote.
            by: its name.
            sources: what it was given.

        Raises:
            SummaryRejected: when the summary is blank, an error text, or no smaller than its sources or, in a
                compaction, than the summaries that it would replace.
            StaleRewrite: when a claimed span has left meanwhile.
            ColdStoreError: when the store cannot keep it.
            StaleSession: when someone else wrote to the session.
        """
        raw = self._meter.redacted(raw_derived(text))
        claim, call = self._held[0], self._call
        guard_summary(raw, call=call)
        tokens = self._meter.tokens(rendered_text(claim.id, raw))
        check_smaller(tokens, sum([span.tokens for span in sources]), call, than="its sources")
        if claim.most is not None:
            check_smaller(tokens, claim.most, call, than="the summaries that it would replace")
        kept = DerivedStr(raw)
        record = DerivedRecord(claim.id, kept, digest_once(kept), claim.sources, tokens, by)
        runs = runs_of(raw, without=[str.__str__(span.text) for span in sources])
        change: Any = self._session.write(plan_rewrite, Swap(claim, record, call, runs))
        made: DerivedSpan = change.span
        return made

    def __enter__(self) -> Self:
        """Claims. Raises what `decide` raises."""
        self._session.claim(self._decide, self._spans, self._call, holder=self._held)
        return self

    def __exit__(self, *exc_info: object) -> None:
        self._release()

    def __del__(self) -> None:
        self._release()

    def _release(self) -> None:
        """Gives the claim back; a second call does nothing."""
        held: list[Claim] = getattr(self, "_held", [])  # an interrupt may come before __init__ has begun
        for claim in held:
            self._session.release(claim)
        held.clear()
