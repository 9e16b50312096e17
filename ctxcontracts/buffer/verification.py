"""What an audit of a buffer finds: whether each span still rests on its originals, and what rests on summaries."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from ctxcontracts.coldstore.damage import Damage
from ctxcontracts.coldstore.protocol import ColdStore
from ctxcontracts.errors import ColdStoreError
from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.record import ObservedRecord, digest_of
from ctxcontracts.spans.span import AnySpan, DerivedSpan, ObservedSpan, record_of_derived, record_of_observed


@dataclass(frozen=True, slots=True, kw_only=True)
class Verification:
    """The result of `buffer.verify()`. It is true when nothing is damaged.

    Attributes:
        spans: how many live spans were checked.
        originals: how many originals were read and hashed again.
        damage: every source that does not resolve and every digest that does not match.
        informed: the live turns of the agent that were written while summaries were in the window.
        unsupported: the live derived spans all of whose sources are such turns: no other original backs them.
    """

    spans: int
    originals: int
    damage: tuple[Damage, ...]
    informed: tuple[SourceId, ...]
    unsupported: tuple[DerivedId, ...]

    @property
    def ok(self) -> bool:
        """Whether nothing is damaged. `informed` and `unsupported` are hints, no damage."""
        return not self.damage

    def __bool__(self) -> bool:
        return self.ok

    def __str__(self) -> str:
        verdict = "ok" if self.ok else f"{len(self.damage)} damaged"
        counts = (
            f"{self.spans} live spans, {self.originals} originals read back and hashed again, "
            f"{len(self.informed)} turns written after reading a summary, "
            f"{len(self.unsupported)} summaries that rest on such turns alone"
        )
        return "\n".join([f"{verdict}: {counts}", *(f"  {damage.where}: {damage.what}" for damage in self.damage)])


def verified(spans: Iterable[AnySpan], store: ColdStore) -> Verification:
    """Checks every live span, and every original below it, against the cold store."""
    audit = _Audit(store)
    count = 0
    for span in spans:
        count += 1
        if isinstance(span, ObservedSpan):
            audit.check_observed(span)
        else:
            audit.check_derived(span)
    return Verification(
        spans=count,
        originals=audit.originals,
        damage=tuple(audit.damage),
        informed=tuple(audit.informed),
        unsupported=tuple(audit.unsupported),
    )


class _Audit:
    """Collects all damage before anything is said."""

    def __init__(self, store: ColdStore) -> None:
        self._store = store
        self.originals = 0
        self.damage: list[Damage] = []
        self.informed: list[SourceId] = []
        self.unsupported: list[DerivedId] = []

    def check_observed(self, span: ObservedSpan) -> None:
        kept = self._original(span.id, span.id)
        if kept is not None and kept != record_of_observed(span):
            self.damage.append(Damage(span.id, "the cold store keeps another original under this id"))
        if span.informed_by:
            self.informed.append(span.id)

    def check_derived(self, span: DerivedSpan) -> None:
        record = record_of_derived(span)
        if digest_of(record.text) != record.digest:
            self.damage.append(Damage(span.id, "its text does not have its digest"))
        try:
            if self._store.derived(span.id) != span:
                self.damage.append(Damage(span.id, "the cold store keeps another summary under this id"))
        except ColdStoreError as error:
            self.damage.append(Damage(span.id, error.happened))
        sources = [self._original(source, span.id) for source in span.sources]
        if all(source is not None and source.informed_by for source in sources):
            self.unsupported.append(span.id)

    def _original(self, source: SourceId, where: str) -> ObservedRecord | None:
        self.originals += 1
        try:
            return self._store.fetch_record(source)
        except ColdStoreError as error:
            self.damage.append(Damage(where, error.happened))
            return None
