"""Spans without a buffer, for tests of what lies below it."""

from __future__ import annotations

from ctxcontracts.spans.provenance import DerivedId, Role, SourceId
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord, digest_of
from ctxcontracts.spans.span import DerivedSpan, ObservedSpan, seal_derived_span, seal_observed_span
from ctxcontracts.spans.text import DerivedStr


def observed(
    name: str = "o1",
    text: str = "the build was red all night",
    *,
    pinned: bool = False,
    tokens: int = 10,
    informed_by: tuple[str, ...] = (),
) -> ObservedSpan:
    return seal_observed_span(
        ObservedRecord(
            id=SourceId(f"s:{name}"),
            text=text,
            digest=digest_of(text),
            origin="user",
            role=Role.USER,
            tokens=tokens,
            pinned=pinned,
            informed_by=tuple(DerivedId(i) for i in informed_by),
        )
    )


def derived(
    name: str = "d1", text: str = "a red build", *, sources: tuple[str, ...] = ("s:o1",), tokens: int = 3
) -> DerivedSpan:
    return seal_derived_span(
        DerivedRecord(
            id=DerivedId(f"s:{name}"),
            text=DerivedStr(text),
            digest=digest_of(text),
            sources=tuple(SourceId(source) for source in sources),
            tokens=tokens,
            summarizer="shrink",
        )
    )
