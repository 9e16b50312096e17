"""Entries for tests of stores, and the ids in them."""

from __future__ import annotations

from ctxcontracts.coldstore.journal import Observed
from ctxcontracts.spans.provenance import DerivedId, Role, SourceId
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord, digest_of
from ctxcontracts.spans.text import DerivedStr

O1, O2, D1, D2 = SourceId("s:o1"), SourceId("s:o2"), DerivedId("s:d1"), DerivedId("s:d2")


def original(span_id: SourceId, text: str = "the text", *, role: Role = Role.USER) -> Observed:
    """The entry of an original."""
    return Observed(ObservedRecord(span_id, text, digest_of(text), role.value, role, 2, False, ()))  # noqa: FBT003


def summary(span_id: DerivedId, *sources: SourceId, text: str = "the summary") -> DerivedRecord:
    """The record of a summary."""
    return DerivedRecord(span_id, DerivedStr(text), digest_of(text), sources, 3, "shrink")
