"""Plain chat messages on their way into a buffer: each goes through the door of its role.

What a span cannot hold is refused with its place, never dropped: images, audio, fields that nobody here knows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple, NoReturn, cast

from ctxcontracts.buffer import refusal
from ctxcontracts.buffer.rendered import Rendered
from ctxcontracts.buffer.shape import text_with_calls
from ctxcontracts.coldstore.journal import Fields
from ctxcontracts.errors import Promise, ProvenanceError
from ctxcontracts.spans.doors import assistant_text, system_text, tool_text, user_text
from ctxcontracts.spans.holding import shown_key, where_derived
from ctxcontracts.spans.text import ObservedText

_KNOWN_FIELDS = frozenset({"role", "content", "name", "tool_calls", "tool_call_id"})
_DOORS: dict[str, Callable[[str], ObservedText]] = {
    "system": system_text,
    "developer": system_text,
    "user": user_text,
    "assistant": assistant_text,
}


class Taken(NamedTuple):
    """A message, ready to be observed.

    Attributes:
        text: its text, through the door of its role.
        pinned: whether it is a system message.
        message: what it carries beside role and text, for `shape.message_of`.
    """

    text: ObservedText
    pinned: bool
    message: Fields


def taken_messages(messages: Sequence[Mapping[str, object]]) -> list[Taken]:
    """All messages, or the refusal of the first that cannot be taken.

    Raises:
        ProvenanceError: when a message carries derived text, or something that a span cannot hold.
    """
    if isinstance(messages, Rendered):
        raise ProvenanceError(
            "from_messages() was given what render() returned",
            promise=Promise.PROVENANCE,
            instead="keep using the buffer that rendered it, or reopen its session",
        )
    if isinstance(messages, (str, Mapping)) or not isinstance(messages, Iterable):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise refusal.no_list("ContextBuffer.from_messages(messages)", messages)
    tools: dict[str, str] = {}
    return [_Reader(index, message, tools).taken() for index, message in enumerate(messages)]


class _Reader:
    """Reads one message.

    Args:
        index: its place in the list.
        message: the message.
        tools: the names of the tools by call id, which calls enter and results look up.
    """

    def __init__(self, index: int, message: object, tools: dict[str, str]) -> None:
        self._index = index
        self._tools = tools
        if not isinstance(message, Mapping):
            self._refuse("", f"is a {type(message).__name__}, not a mapping")
        self._message = cast("Mapping[str, object]", message)
        self._fields: dict[str, object] = {}

    def taken(self) -> Taken:
        derived = where_derived({"": self._message})
        if derived is not None:
            self._refuse(derived, "holds derived text", Promise.PROVENANCE)
        for name, value in self._message.items():
            if name not in _KNOWN_FIELDS and not _says_nothing(value):
                self._refuse(f"[{shown_key(name)}]", "is a field that a span cannot hold")
        role = self._message.get("role")
        text = self._text()
        if role == "tool":
            door = self._tool_door()
        elif isinstance(role, str) and role in _DOORS:
            door = _DOORS[role]
        else:
            shown = repr(role) if isinstance(role, str) and len(role) <= 20 else f"a {type(role).__name__}"
            self._refuse("['role']", f"is {shown}, not system, developer, user, assistant or tool")
        if role == "developer":
            self._fields["role"] = role
        if role != "tool" and self._message.get("name") is not None:
            self._fields["name"] = self._string("name")
        return Taken(door(text), role in {"system", "developer"}, self._fields)

    def _text(self) -> str:
        """The text of the span: the content, and the tool calls behind it."""
        content = self._content()
        calls = self._message.get("tool_calls")
        if not calls:
            if content is None:
                self._refuse("['content']", "is missing")
            return content
        if self._message.get("role") != "assistant":
            self._refuse("['tool_calls']", "stands in a message that is not the assistant's")
        self._fields["calls"] = self._call_ids(calls)
        self._fields["content_chars"] = None if content is None else len(content)
        try:
            return text_with_calls(content or "", calls)
        except (TypeError, ValueError, RecursionError) as error:
            self._refuse("['tool_calls']", f"cannot be written as JSON ({type(error).__name__})")

    def _content(self) -> str | None:
        content = self._message.get("content")
        if content is None or isinstance(content, str):
            return content
        if not isinstance(content, (list, tuple)):
            self._refuse("['content']", f"is a {type(content).__name__}, not a str or a list of text parts")
        texts: list[str] = []
        for number, part in enumerate(cast("Sequence[object]", content)):
            fields = _fields_of(part)
            text = fields.get("text")
            if set(fields) != {"type", "text"} or fields["type"] != "text" or not isinstance(text, str):
                self._refuse(f"['content'][{number}]", "is not {'type': 'text', 'text': ...}")
            texts.append(text)
        self._fields["parts"] = [len(text) for text in texts]
        return "\n".join(texts)

    def _call_ids(self, calls: object) -> list[str]:
        if not isinstance(calls, (list, tuple)):
            self._refuse("['tool_calls']", f"is a {type(calls).__name__}, not a list")
        ids: list[str] = []
        for number, call in enumerate(cast("Sequence[object]", calls)):
            fields = _fields_of(call)
            call_id, name = fields.get("id"), _fields_of(fields.get("function")).get("name")
            if not isinstance(call_id, str):
                self._refuse(f"['tool_calls'][{number}]", "has no id")
            self._tools[call_id] = name if isinstance(name, str) else "unknown"
            ids.append(call_id)
        return ids

    def _tool_door(self) -> Callable[[str], ObservedText]:
        name = "unknown"
        if self._message.get("tool_call_id") is not None:
            self._fields["tool_call_id"] = call_id = self._string("tool_call_id")
            name = self._tools.get(call_id, name)
        if self._message.get("name") is not None:
            self._fields["name"] = name = self._string("name")
        return lambda text: tool_text(text, name=name)

    def _string(self, name: str) -> str:
        value = self._message[name]
        if not isinstance(value, str):
            self._refuse(f"[{name!r}]", f"is a {type(value).__name__}, not a str")
        return value

    def _refuse(self, place: str, what: str, promise: Promise | None = None) -> NoReturn:
        raise ProvenanceError(
            f"from_messages(messages): messages[{self._index}]{place} {what}",
            promise=promise,
            instead="pass messages with a role and a text; observe what else you need through its own door",
        )


def _says_nothing(value: object) -> bool:
    """Whether a field may be left out: `None`, or an empty list as clients write (`"annotations": []`)."""
    return value is None or (isinstance(value, (list, tuple)) and not value)


def _fields_of(value: object) -> Mapping[str, object]:
    """The fields of a mapping; none for anything else."""
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}


def redacted_message(message: Mapping[str, object], redact: Callable[[str], str]) -> dict[str, object]:
    """A message whose texts were redacted: its content, its parts, and what its tool calls are given.

    Args:
        message: a message that `taken_messages` took.
        redact: gives a text without what must not be kept.
    """
    told = {"content", "tool_calls"}
    return {field: _redacted(value, redact) if field in told else value for field, value in message.items()}


def _redacted(value: object, redact: Callable[[str], str], field: str = "content") -> object:
    if isinstance(value, str):
        return redact(value) if field in {"content", "text", "arguments"} else value
    if isinstance(value, Mapping):
        fields = cast("Mapping[str, object]", value)
        return {name: _redacted(inner, redact, name) for name, inner in fields.items()}
    if isinstance(value, Sequence):
        return [_redacted(inner, redact, field) for inner in cast("Sequence[object]", value)]
    return value
