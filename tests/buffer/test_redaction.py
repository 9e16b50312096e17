"""What must not be kept is taken out before anything is counted, hashed or stored."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.errors import CtxContractsError, ProvenanceError
from ctxcontracts.spans import DerivedStr, ObservedSpan, estimate_tokens, summarizer, user_text
from tests.support.buffers import WORDS, summary_of

SECRET = "sk-0123456789abcdef"


def redact(text: str) -> str:
    return re.sub(r"sk-\w+", "[key]", text)


@summarizer
def leaking(spans: list[ObservedSpan]) -> str:
    return f"They used {SECRET} for it."


def test_a_secret_reaches_no_span_and_no_file(tmp_path: Path) -> None:
    """Originals, summaries, and what is rendered."""
    with ContextBuffer.open(tmp_path / "store.db", "s", redact=redact) as buffer:
        one = buffer.observe(user_text(f"use {SECRET}: {WORDS}"))
        assert one.text == f"use [key]: {WORDS}"
        assert one.tokens == estimate_tokens(one.text)
        buffer.observe_all([user_text(SECRET)])
        assert summary_of(buffer.rewrite(one, leaking)) == "They used [key] for it."
        assert buffer.verify().ok
        assert SECRET not in str(buffer.render())
    assert all(SECRET.encode() not in path.read_bytes() for path in tmp_path.iterdir())


_CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": f'{{"key": "{SECRET}"}}'}}
MESSAGES: list[dict[str, Any]] = [
    {"role": "user", "content": [{"type": "text", "text": text} for text in (f"my key is {SECRET}", "thanks")]},
    {"role": "assistant", "content": "I try it.", "tool_calls": [_CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": f"{SECRET} works"},
    {"role": "assistant", "content": None, "tool_calls": [{"id": "c2", "index": 0, "function": {"name": "g"}}]},
]


def test_messages_are_redacted_piece_by_piece() -> None:
    """They are rendered with the same shape."""
    buffer = ContextBuffer.from_messages(MESSAGES, redact=redact)
    expected = eval(repr(MESSAGES).replace(SECRET, "[key]"))
    assert list(buffer.render()) == expected


def test_derived_text_in_messages_is_refused_before_it_is_redacted() -> None:
    """A hook that drops the mark is no way around the doors."""
    for content in (DerivedStr("a summary"), "[[derived:s:d1]] a summary"):
        with pytest.raises(ProvenanceError):
            ContextBuffer.from_messages([{"role": "user", "content": content}], redact=lambda text: "clean")


@pytest.mark.parametrize("wrong", [3, lambda text: None], ids=["no function", "no text"])
def test_a_hook_gives_a_text(wrong: Any) -> None:
    """Nothing is kept that it has not seen."""
    with pytest.raises(CtxContractsError, match="redact"):
        ContextBuffer(redact=wrong).observe(user_text("x"))


def test_what_a_hook_raises_passes_through_and_nothing_is_kept() -> None:
    """A text that could not be redacted is not stored as it was."""
    buffer = ContextBuffer(redact=lambda text: str(1 // 0))
    with pytest.raises(ZeroDivisionError):
        buffer.observe(user_text("x"))
    assert len(buffer) == 0
    assert buffer.store.sessions() == ()
