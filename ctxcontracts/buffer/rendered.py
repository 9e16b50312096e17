"""What a model gets: flat messages. The editor never works on them, and no door takes them back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, final

from ctxcontracts.buffer.shape import message_of, paired_ids
from ctxcontracts.coldstore.journal import Fields
from ctxcontracts.spans.mark import mark
from ctxcontracts.spans.provenance import Role
from ctxcontracts.spans.span import AnySpan, DerivedSpan, ObservedSpan, record_of_derived, record_of_observed
from ctxcontracts.spans.text import DerivedStr

_ROLES = {role: role.value for role in Role}


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
        return DerivedStr("\n\n".join(": ".join((message["role"], _flat(message))) for message in self))

    def __repr__(self) -> str:
        return f"<Rendered, {len(self)} messages>"


def _flat(message: Mapping[str, Any]) -> str:
    """The text of a message: its content, the texts of its parts, and its tool calls as JSON."""
    content = message["content"] or ""
    pieces = [content] if isinstance(content, str) else [part["text"] for part in content]
    if "tool_calls" in message:
        pieces.append(json.dumps(message["tool_calls"], ensure_ascii=False))
    # `join` reads the characters of a summary without the guard that formatting has: render() had its own.
    return "\n".join(pieces)


def rendered_text(derived_id: str, summary: str) -> str:
    """A summary as a model sees it: with its mark in front, so that a door knows it again."""
    # `join` reads the characters without the guard of formatting: a commit inside a summarizer comes by here.
    return "".join((mark(derived_id), " ", summary))


def rendered(spans: Sequence[AnySpan], messages: Mapping[str, Fields]) -> Rendered:
    """The messages of live spans.

    Args:
        spans: the spans, in order.
        messages: what the messages of some of them carry beside role and content, by id.
    """
    paired = paired_ids([record_of_observed(s) for s in spans if isinstance(s, ObservedSpan)], messages)
    out = Rendered()
    add = out.append
    for span in spans:
        if isinstance(span, DerivedSpan):
            summary = record_of_derived(span)
            add({"role": "user", "content": DerivedStr(rendered_text(summary.id, summary.text))})
            continue
        record = record_of_observed(span)
        if record.id in messages:
            add(message_of(record, messages[record.id], paired=record.id in paired))
        else:
            add({"role": _ROLES[record.role], "content": record.text})
    return out
