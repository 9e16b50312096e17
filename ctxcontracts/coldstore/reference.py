"""A span again, from what `to_dict()` wrote of it."""

from __future__ import annotations

from collections.abc import Mapping

from ctxcontracts.coldstore.protocol import ColdStore
from ctxcontracts.errors import Promise, ProvenanceError
from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.span import AnySpan


def from_dict(reference: Mapping[str, object], store: ColdStore) -> AnySpan:
    """The span that a reference stands for, read from its store with its digest recomputed.

    Args:
        reference: what `span.to_dict()` gave; keys that it does not know are left alone.
        store: the cold store that keeps the span.

    Raises:
        ProvenanceError: when it is no reference, or the store keeps another text under this id.
        OriginalMissingError: when the store keeps nothing under this id.
        DamagedOriginalError: when what is kept does not have its digest.
    """
    kind, span_id, digest = (reference.get(field) for field in ("kind", "id", "digest"))
    if kind not in ("observed", "derived") or not isinstance(span_id, str):
        raise ProvenanceError(
            "from_dict(reference, store): the reference names no kind and id of a span",
            promise=Promise.AUDITABLE,
            instead="pass what span.to_dict() gave",
        )
    span: AnySpan = store.fetch(SourceId(span_id)) if kind == "observed" else store.derived(DerivedId(span_id))
    if span.digest != digest:
        raise ProvenanceError(
            f"from_dict(reference, store): the store keeps another text under {span.id}",
            promise=Promise.AUDITABLE,
            instead="open the store that the span was observed in",
        )
    return span
