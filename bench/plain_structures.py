"""Two structures that do less than a buffer, to measure it against.

`Slots` is a plain class with the same slots and guards, the same span types and the same summarizer, which also
hashes each text: the least that keeps the promises in one thread, for as long as the process lives. `NaiveList` is
the obvious list: delete by index, search by walking, the sum recomputed after each call.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ctxcontracts.contracts import is_a_summary
from ctxcontracts.spans import (
    AnySpan,
    DerivedId,
    DerivedSpan,
    DerivedStr,
    ObservedSpan,
    ObservedText,
    Role,
    SourceId,
    estimate_tokens,
    summarizer,
)
from ctxcontracts.spans.mark import OPEN, mark
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord
from ctxcontracts.spans.span import record_of_derived, record_of_observed, seal_derived_span, seal_observed_span
from ctxcontracts.spans.text import is_sealed, raw_derived

SUMMARY = "Two services restarted."


@dataclass(slots=True)
class Piece:
    """A span of the naive list."""

    id: str
    text: str
    digest: str
    tokens: int
    sources: tuple[str, ...] = ()


class Refused(Exception):  # noqa: N818 - a verdict
    """What the guards of the plain structures raise."""


def digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()


@summarizer
def summary(spans: Sequence[ObservedSpan]) -> str:  # noqa: ARG001
    return SUMMARY


@dataclass(slots=True)
class Slots:
    """Dictionaries of slots with plain guards, over the same spans and the same summarizer, hashing each text.

    It keeps the originals and a log of what happened in memory. It has no locks, claims, journal codec, store
    protocol or sessions, and nothing is checked twice.
    """

    slots: dict[int, AnySpan] = field(default_factory=dict)
    slot_of: dict[str, int] = field(default_factory=dict)
    archive: dict[str, ObservedRecord] = field(default_factory=dict)
    gone: dict[str, str | None] = field(default_factory=dict)
    derived: dict[DerivedId, None] = field(default_factory=dict)
    log: list[tuple[str, object]] = field(default_factory=list)
    tokens: int = 0
    last: int = 0

    def observe(self, text: object) -> ObservedSpan:
        if not isinstance(text, ObservedText) or not is_sealed(text):
            raise Refused
        raw = str(text)
        tokens = estimate_tokens(raw)
        if type(tokens) is not int or tokens < 0:
            raise Refused
        self.last += 1
        name = SourceId(f"s:o{self.last}")
        informed_by = tuple(self.derived) if text.role is Role.ASSISTANT else ()
        record = ObservedRecord(name, raw, digest(raw), text.origin, text.role, tokens, False, informed_by)
        if name in self.archive:
            raise Refused
        self.archive[name] = record
        self.log.append(("observed", record))
        span = seal_observed_span(record)
        self.slots[self.last] = span
        self.slot_of[name] = self.last
        self.tokens += tokens
        return span

    def prune(self, span: object) -> None:
        if not isinstance(span, (ObservedSpan, DerivedSpan)):
            raise Refused
        slot = self.slot_of.get(span.id)
        if slot is None:
            if span.id not in self.gone:
                raise Refused
            return
        if self.slots[slot] != span:
            raise Refused
        self.log.append(("pruned", (span.id,)))
        del self.slot_of[span.id]
        del self.slots[slot]
        self.gone[span.id] = None
        self.derived.pop(span.id, None)
        self.tokens -= span.tokens

    def rewrite(self, spans: Sequence[ObservedSpan]) -> DerivedSpan:
        for span in spans:
            if not isinstance(span, ObservedSpan) or span.pinned or span.id in self.gone:
                raise Refused
            if self.slots[self.slot_of[span.id]] != span:
                raise Refused
        if len({span.id for span in spans}) < len(spans):
            raise Refused
        return self._replace(spans, tuple(span.id for span in spans), spans)

    def rederive(self, span: DerivedSpan) -> DerivedSpan:
        if not isinstance(span, DerivedSpan) or span.id in self.gone or self.slots[self.slot_of[span.id]] != span:
            raise Refused
        originals = []
        for source in span.sources:
            record = self.archive[source]
            if digest(record.text) != record.digest:
                raise Refused
            originals.append(seal_observed_span(record))
        return self._replace([span], span.sources, originals)

    def _replace(
        self, spans: Sequence[AnySpan], sources: tuple[SourceId, ...], originals: Sequence[ObservedSpan]
    ) -> DerivedSpan:
        text = raw_derived(summary(originals))
        if not is_a_summary(text) or OPEN in text:
            raise Refused
        self.last += 1
        name = DerivedId(f"s:d{self.last}")
        tokens = estimate_tokens(f"{mark(name)} {text}")
        if tokens >= sum(span.tokens for span in originals):
            raise Refused
        record = DerivedRecord(name, DerivedStr(text), digest(text), sources, tokens, summary.__name__)
        made = seal_derived_span(record)
        self.log.append(("replaced", record))
        slots = sorted(self.slot_of.pop(span.id) for span in spans)
        for slot in slots[1:]:
            del self.slots[slot]
        self.slots[slots[0]] = made
        self.slot_of[name] = slots[0]
        for span in spans:
            self.gone[span.id] = name
            self.derived.pop(span.id, None)
        self.derived[name] = None
        self.tokens += tokens - sum(span.tokens for span in spans)
        return made

    def render(self) -> list[dict[str, Any]]:
        out: list[dict[str, Any]] = []
        for span in self.slots.values():
            if isinstance(span, DerivedSpan):
                out.append({"role": "user", "content": DerivedStr(f"{mark(span.id)} {record_of_derived(span).text}")})
            else:
                record = record_of_observed(span)
                out.append({"role": record.role.value, "content": record.text})
        return out


@dataclass(slots=True)
class NaiveList:
    """A list of spans: spans are found by walking and removed by index, the size is summed when it is asked for."""

    spans: list[Piece] = field(default_factory=list)
    archive: dict[str, str] = field(default_factory=dict)
    last: int = 0
    tokens: int = 0

    def observe(self, text: str) -> Piece:
        self.last += 1
        piece = Piece(f"s:o{self.last}", text, digest(text), estimate_tokens(text))
        self.spans.append(piece)
        self._count()
        return piece

    def prune(self, span: Piece) -> None:
        del self.spans[self._index(span)]
        self._count()

    def rewrite(self, spans: Sequence[Piece]) -> Piece:
        first = self._index(spans[0])
        for span in spans:
            if span.sources:
                raise Refused
            self.archive[span.id] = span.text
        self.last += 1
        sources = tuple(span.id for span in spans)
        made = Piece(f"s:d{self.last}", SUMMARY, digest(SUMMARY), estimate_tokens(SUMMARY), sources)
        self.spans[first] = made
        for span in spans[1:]:
            del self.spans[self._index(span)]
        self._count()
        return made

    def rederive(self, span: Piece) -> Piece:
        for source in span.sources:
            if source not in self.archive:
                raise Refused
        self.last += 1
        made = Piece(f"s:d{self.last}", SUMMARY, digest(SUMMARY), estimate_tokens(SUMMARY), span.sources)
        self.spans[self._index(span)] = made
        self._count()
        return made

    def _index(self, span: Piece) -> int:
        return next(index for index, piece in enumerate(self.spans) if piece.id == span.id)

    def _count(self) -> None:
        self.tokens = sum(piece.tokens for piece in self.spans)

    def render(self) -> list[dict[str, Any]]:
        return [{"role": "user", "content": piece.text} for piece in self.spans]
