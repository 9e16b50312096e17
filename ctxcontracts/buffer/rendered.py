"""What a model gets: flat messages. The editor never works on them, and no door takes them back."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, final

from ctxcontracts.buffer.shape import message_of
from ctxcontracts.coldstore.journal import Fields
from ctxcontracts.spans.mark import mark
from ctxcontracts.spans.span import AnySpan, ObservedSpan, record_of_derived, record_of_observed
from ctxcontracts.spans.text import DerivedStr


@final
class Rendered(list[dict[str, Any]]):
    """A list of messages `{"role", "content", ...}`, ready for JSON and for a chat API.

    The content of a summary is a `DerivedStr` that begins with its mark, under the role `user`: models take it as
    given information, and every API allows it in any place.
    """

    __slots__ = ()

    @property
    def text(self) -> DerivedStr:
        """All messages as one flat text, for completion models and for people."""
        return DerivedStr("\n\n".join(f"{message['role']}: {_flat(message['content'])}" for message in self))

    def __repr__(self) -> str:
        size = sum(len(message["content"] or "") for message in self)
        return f"<Rendered, {len(self)} messages, {size} characters>"


def _flat(content: str | None) -> str:
    # `join` reads the characters without the guard that `format` has; render() had its own.
    return "".join(content or "")


def rendered_text(derived_id: str, summary: str) -> str:
    """A summary as a model sees it: with its mark in front, so that a door knows it again."""
    return f"{mark(derived_id)} {summary}"


def rendered(spans: Iterable[AnySpan], messages: Mapping[str, Fields]) -> Rendered:
    """The messages of live spans.

    Args:
        spans: the spans, in order.
        messages: what the messages of some of them carry beside role and content, by id.
    """
    out = Rendered()
    add = out.append
    for span in spans:
        if not isinstance(span, ObservedSpan):
            summary = record_of_derived(span)
            add({"role": "user", "content": DerivedStr(rendered_text(summary.id, summary.text))})
            continue
        record = record_of_observed(span)
        if record.id in messages:
            add(message_of(record, messages[record.id]))
        else:
            add({"role": record.role.value, "content": record.text})
    return out
