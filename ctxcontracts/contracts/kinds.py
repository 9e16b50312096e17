"""What a contract is told about: one span or several, and how an error names what it was given."""

from __future__ import annotations

from collections.abc import Collection
from typing import Protocol

from ctxcontracts.spans.provenance import DerivedId, SourceId
from ctxcontracts.spans.span import DerivedSpan, ObservedSpan


class RewriteLedger(Protocol):
    """Who knows what was rewritten. A `ContextBuffer` is one; so is whatever of yours keeps this list."""

    def rewritten_into(self, source: SourceId, /) -> DerivedId | None:
        """The derived span that an observed span was rewritten into, or None if it never was."""
        ...


class LiveSpans(Protocol):
    """Who knows what is in the window. A `ContextBuffer` is one."""

    def is_live(self, span_id: SourceId | DerivedId, /) -> bool:
        """Whether the span with this id is in the window now."""
        ...


def each(spans: object) -> tuple[object, ...]:
    """The items of what was passed where one span or a sequence of spans is taken.

    What is neither (None, a text, a generator that a contract would use up) counts as one item, so that it fails the
    predicates by its kind.
    """
    if isinstance(spans, tuple):
        return spans  # pyright: ignore[reportUnknownVariableType] - items are unknown on purpose
    if isinstance(spans, (ObservedSpan, DerivedSpan)):
        return (spans,)  # before the next question, which is ten times as slow
    if isinstance(spans, list):
        return tuple(spans)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    if isinstance(spans, Collection) and not isinstance(spans, (str, bytes, bytearray)):
        return tuple(spans)  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
    return (spans,)


def is_one(spans: object) -> bool:
    """Whether a single item was passed rather than a collection."""
    taken = each(spans)
    return len(taken) == 1 and taken[0] is spans


def kind_of(value: object) -> str:
    """The class of a value, as an error names it; never its content."""
    return "None" if value is None else f"a {type(value).__name__}"


def id_of(span: object) -> str:
    """The id of a span, or the kind of what is no span."""
    return span.id if type(span) is ObservedSpan or type(span) is DerivedSpan else kind_of(span)
