"""Plain chat messages: in through their doors, out again as they were."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.coldstore import MemoryStore
from ctxcontracts.errors import CtxContractsError, ProvenanceError
from ctxcontracts.spans import DerivedStr, Role, expose, user_text
from ctxcontracts.testing.strategies import texts
from tests.support.buffers import WORDS, filled, ids, shrink


def call(call_id: str, name: str = "read_file") -> dict[str, Any]:
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": '{"path": "a"}'}}


MESSAGES: list[dict[str, Any]] = [
    {"role": "system", "content": "Be brief."},
    {"role": "developer", "content": "Be kind."},
    {
        "role": "user",
        "content": [{"type": "text", "text": "one"}, {"type": "text", "text": "two\nlines"}],
        "name": "Zoë",
    },
    {"role": "assistant", "content": None, "tool_calls": [call("c1"), call("c2", "list")]},
    {"role": "tool", "tool_call_id": "c1", "content": "the file"},
    {"role": "tool", "tool_call_id": "c2", "content": "the list", "name": "ls"},
    {"role": "assistant", "content": "Once more.", "tool_calls": [call("c3")]},
    {"role": "tool", "tool_call_id": "c3", "content": ""},
    {"role": "assistant", "content": [{"type": "text", "text": "Done."}], "tool_calls": [call("c4")]},
]


def test_messages_come_back_as_they_were() -> None:
    """Roles, parts, names, tool calls and their ids."""
    assert ContextBuffer.from_messages(MESSAGES).render() == MESSAGES


def test_messages_survive_the_store(tmp_path: Path) -> None:
    """A resumed session renders the same messages."""
    path = tmp_path / "store.db"
    with ContextBuffer.open(path, "other") as buffer:
        ContextBuffer.from_messages(MESSAGES, store=buffer.store, session="s", count_tokens=len)
    with ContextBuffer.open(path, "s") as buffer:
        assert buffer.render() == MESSAGES
        assert buffer.verify()


def test_each_message_goes_through_the_door_of_its_role() -> None:
    """Origins and roles; what the operator wrote is pinned; a tool is known by its call."""
    spans = ContextBuffer.from_messages(MESSAGES).spans
    origins = "system system user assistant tool:read_file tool:ls assistant tool:read_file assistant"
    assert [span.origin for span in spans if not span.generation] == origins.split()
    assert [span.pinned for span in spans] == [True, True, *[False] * 7]
    assert [span.role for span in spans if not span.generation][1] is Role.SYSTEM


def test_a_summarizer_reads_the_tool_calls_as_text() -> None:
    """What an agent did is part of what it said."""
    span = ContextBuffer.from_messages(MESSAGES).spans[6]
    assert not span.generation
    assert span.text.startswith('Once more.\ntool calls: [{"id": "c3"')


def test_a_result_without_its_call_is_rendered_as_text() -> None:
    """An API would refuse the pair's half."""
    buffer = ContextBuffer.from_messages(MESSAGES)
    buffer.prune([buffer.spans[3], buffer.spans[7]])
    out = buffer.render()
    roles = "system developer user user user assistant assistant"
    assert [message["role"] for message in out] == roles.split()
    assert out[4] == {"role": "user", "content": "the list", "name": "ls"}
    assert out[5]["content"].startswith("Once more.\ntool calls: ")
    assert "tool_calls" not in out[5]
    assert out[6] == MESSAGES[8], "the last call still waits for its result"


def test_a_tool_message_without_an_id_keeps_its_role() -> None:
    """Some formats pair by position."""
    buffer = ContextBuffer.from_messages(
        [{"role": "tool", "content": "x"}, {"role": "tool", "content": "y", "name": "n"}]
    )
    assert buffer.render() == [{"role": "tool", "content": "x"}, {"role": "tool", "content": "y", "name": "n"}]
    assert [span.origin for span in buffer.spans if not span.generation] == ["tool:unknown", "tool:n"]


def test_fields_that_say_nothing_are_left_out() -> None:
    """Client libraries write `None` for everything they did not get."""
    buffer = ContextBuffer.from_messages(
        [{"role": "user", "content": "x", "refusal": None, "tool_calls": None, "name": None}]
    )
    assert buffer.render() == [{"role": "user", "content": "x"}]


@given(st.lists(st.tuples(st.sampled_from(["system", "user", "assistant"]), texts(max_size=30)), max_size=6))
def test_any_texts_come_back(pairs: list[tuple[str, str]]) -> None:
    """Nothing is stripped, normalised or merged."""
    messages = [{"role": role, "content": text} for role, text in pairs]
    assert ContextBuffer.from_messages(messages).render() == messages


REFUSED: dict[str, tuple[Any, str]] = {
    "no mapping": ("hello", "is a str, not a mapping"),
    "no role": ({"content": "x"}, "'role'"),
    "unknown role": ({"role": "critic", "content": "x"}, "'critic'"),
    "role of another type": ({"role": ["user"], "content": "x"}, "a list"),
    "no content": ({"role": "user"}, "'content'] is missing"),
    "content of another type": ({"role": "user", "content": 3}, "is a int"),
    "an image": ({"role": "user", "content": [{"type": "image_url", "image_url": {}}]}, "'content'][0]"),
    "a part with more": ({"role": "user", "content": [{"type": "text", "text": "x", "cache": 1}]}, "'content'][0]"),
    "a part of another kind": ({"role": "user", "content": [{"type": "code", "text": "x"}]}, "'content'][0]"),
    "a part without text": ({"role": "user", "content": ["x"]}, "'content'][0]"),
    "a part with no str": ({"role": "user", "content": [{"type": "text", "text": 3}]}, "'content'][0]"),
    "an unknown field": ({"role": "user", "content": "x", "audio": {}}, "'audio'"),
    "tool calls of a user": ({"role": "user", "content": "x", "tool_calls": [call("c")]}, "not the assistant's"),
    "tool calls that are no list": ({"role": "assistant", "tool_calls": {"id": "c"}}, "not a list"),
    "a tool call without id": ({"role": "assistant", "tool_calls": [{"function": {}}]}, "has no id"),
    "a tool call that is no mapping": ({"role": "assistant", "tool_calls": ["c"]}, "has no id"),
    "tool calls that are no JSON": ({"role": "assistant", "tool_calls": [call("c") | {"x": object}]}, "as JSON"),
    "a name of another type": ({"role": "user", "content": "x", "name": 3}, "'name'] is a int"),
    "a call id of another type": ({"role": "tool", "content": "x", "tool_call_id": 3}, "'tool_call_id'] is a int"),
}


def test_an_empty_list_under_an_unknown_name_says_nothing() -> None:
    """As clients dump their messages: `"annotations": []`. It is left out, like `None`."""
    dumped = {"role": "assistant", "content": "x", "annotations": [], "refusal": None}
    assert ContextBuffer.from_messages([dumped]).render() == [{"role": "assistant", "content": "x"}]


def test_tool_calls_that_are_nested_too_deep_are_refused() -> None:
    """JSON writers give up on them, in words of their own."""
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    call = {"id": "c1", "function": {"name": "f", "arguments": deep}}
    with pytest.raises(ProvenanceError, match="cannot be written as JSON"):
        ContextBuffer.from_messages([{"role": "assistant", "content": None, "tool_calls": [call]}])


def test_a_field_whose_name_is_a_text_is_refused_without_it() -> None:
    """P14 holds for the names of fields too."""
    with pytest.raises(ProvenanceError) as caught:
        ContextBuffer.from_messages([{"role": "user", "content": "x", "a text of a user": 1}])
    assert "a text of a user" not in str(caught.value)


@pytest.mark.parametrize(("message", "says"), REFUSED.values(), ids=REFUSED)
def test_what_a_span_cannot_hold_is_refused(message: Any, says: str) -> None:
    """With its place, before anything is observed; never dropped in silence."""
    store = MemoryStore()
    with pytest.raises(ProvenanceError) as caught:
        ContextBuffer.from_messages([{"role": "user", "content": "fine"}, message], store=store, session="s")
    assert "messages[1]" in caught.value.happened
    assert says in caught.value.happened
    assert store.sessions() == ()


def test_tool_functions_without_a_name_are_unknown() -> None:
    """Not every client names them where we look."""
    buffer = ContextBuffer.from_messages(
        [{"role": "assistant", "tool_calls": [{"id": "c"}]}, {"role": "tool", "tool_call_id": "c", "content": "x"}]
    )
    assert [span.origin for span in buffer.spans if not span.generation] == ["assistant", "tool:unknown"]


def test_derived_text_does_not_come_back_as_a_message() -> None:
    """P1: by its mark, by its type, as a rendered list, and inside tool calls."""
    buffer, spans = filled(2)
    made = buffer.rewrite(spans[0], shrink)
    out = buffer.render()
    exposed = expose(made.text)
    laundered: list[Any] = [
        out,
        list(out),
        [{"role": "user", "content": out.text}],
        [{"role": "user", "content": exposed}],
        [{"role": "user", "content": [{"type": "text", "text": exposed}]}],
        [{"role": "assistant", "tool_calls": [{"id": "c", "function": {"arguments": exposed}}]}],
    ]
    for messages in laundered:
        with pytest.raises(ProvenanceError, match="P1"):
            ContextBuffer.from_messages(messages)


def test_a_session_with_a_past_is_not_begun_again() -> None:
    """Resume it instead."""
    store = MemoryStore()
    ContextBuffer(store, session="s").observe(user_text("x"))
    with pytest.raises(CtxContractsError, match="resume the session"):
        ContextBuffer.from_messages(MESSAGES, store=store, session="s")
    assert ids(ContextBuffer(store, session="s")) == ["o1"]


# --- what is rendered ----------------------------------------------------------------------------------------------


def test_a_summary_is_rendered_with_its_mark() -> None:
    """Under `user`, in its place, as text that no door takes."""
    buffer, spans = filled(3, ContextBuffer(session="s"))
    buffer.rewrite(spans[:2], shrink)
    out = buffer.render()
    assert [message["role"] for message in out] == ["user", "user"]
    assert isinstance(out[0]["content"], DerivedStr)
    assert out[0]["content"] == "[[derived:s:d1]] 2 of them: turn 1: and so"
    with pytest.raises(ProvenanceError):
        user_text(out[0]["content"])
    with pytest.raises(ProvenanceError):
        user_text(str(out[0]["content"]))


def test_the_flat_text_holds_everything_and_no_door_takes_it() -> None:
    """For completion models."""
    buffer = ContextBuffer.from_messages([*MESSAGES[:4], {"role": "user", "content": WORDS}])
    buffer.rewrite(buffer.spans[-1], shrink)  # type: ignore[arg-type]
    text = buffer.render().text
    assert text.startswith("system: Be brief.\n\ndeveloper: Be kind.\n\nuser: one\ntwo\nlines\n\n")
    assert "read_file" in text
    assert "and so they went" in text
    with pytest.raises(ProvenanceError):
        user_text(text)


def test_rendered_messages_show_no_text() -> None:
    """A repr ends up in logs."""
    assert repr(ContextBuffer.from_messages(MESSAGES).render()) == "<Rendered, 9 messages>"
