r"""What a message carries beside role and text, and how it is rendered again.

A span is one text, so a message with parts or tool calls becomes one, and its journal entry keeps where the pieces
were: identifiers and lengths, never text.

    {"role": "assistant", "content": "Let me look.", "tool_calls": [{"id": "c1", ...}]}
    text     Let me look.\ntool calls: [{"id": "c1", ...}]     what a summarizer reads
    message  {"calls": ["c1"], "content_chars": 12}            from which the same message is rendered

A call whose result has left the window, or a result whose call has, is rendered as plain text: a chat API would
refuse the one without the other.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from ctxcontracts.coldstore.journal import Fields
from ctxcontracts.spans.provenance import Role
from ctxcontracts.spans.record import ObservedRecord

CALLS_LEAD = "tool calls: "
"""What stands before the tool calls in the text of a span, after a line break unless the content is empty."""


def text_with_calls(content: str, calls: object) -> str:
    """The text of a message with tool calls, which `message_of` takes apart again."""
    return f"{content}{_joint(content)}{json.dumps(calls, ensure_ascii=False)}"


def _joint(content: str) -> str:
    return f"\n{CALLS_LEAD}" if content else CALLS_LEAD


def message_of(record: ObservedRecord, fields: Fields, *, paired: bool) -> dict[str, Any]:
    """The message of an original that came in as a message with more than role and text.

    Args:
        record: the original.
        fields: what the journal keeps of the message.
        paired: whether the tool calls have their results, or the result has its call.
    """
    role = fields.get("role", record.role.value)
    named = {"name": fields["name"]} if "name" in fields else {}
    if not paired:
        return {"role": "user" if record.role is Role.TOOL else role, "content": record.text, **named}
    if "tool_call_id" in fields:
        named["tool_call_id"] = fields["tool_call_id"]
    if "calls" not in fields:
        return {"role": role, "content": _content(record.text, fields), **named}
    size = cast("int | None", fields["content_chars"])
    content = record.text[: size or 0]
    calls = json.loads(record.text[len(content) + len(_joint(content)) :])
    return {
        "role": role,
        "content": None if size is None else _content(content, fields),
        "tool_calls": calls,
        **named,
    }


def _content(text: str, fields: Fields) -> str | list[dict[str, str]]:
    """The content as it came: a text, or its parts."""
    if "parts" not in fields:
        return text
    parts: list[dict[str, str]] = []
    start = 0
    for size in cast("Sequence[int]", fields["parts"]):
        parts.append({"type": "text", "text": text[start : start + size]})
        start += size + 1  # the line break between parts
    return parts


def paired_ids(records: Sequence[ObservedRecord], messages: Mapping[str, Fields]) -> set[str]:
    """The ids of the live spans whose tool calls and results are all there.

    Calls that still wait for their results, at the end of the window, count as paired.

    Args:
        records: the live originals, in order.
        messages: what the journal keeps of the messages of some of them, by id.
    """
    results = {fields["tool_call_id"] for fields in messages.values() if "tool_call_id" in fields}
    last = next((record.id for record in reversed(records) if record.role is not Role.TOOL), "")
    paired: set[str] = set()
    answered: set[object] = set()
    for span_id, fields in messages.items():
        calls = cast("Sequence[str]", fields.get("calls", ()))
        if all(call in results for call in calls) or span_id == last:
            answered.update(calls)
            paired.add(span_id)
    return {
        span_id
        for span_id in paired
        if "tool_call_id" not in messages[span_id] or messages[span_id]["tool_call_id"] in answered
    }
