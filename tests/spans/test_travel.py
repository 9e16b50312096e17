"""Values travel: what is written of texts and spans, what comes back, and what is refused with our error."""

from __future__ import annotations

import copy
import io
import json
import pickle
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pydantic
import pydantic_core
import pytest

from ctxcontracts import (
    ContextBuffer,
    DerivedSpan,
    DerivedStr,
    DerivedText,
    ObservedSpan,
    ObservedText,
    OriginalMissingError,
    ProvenanceError,
    RewritePolicyError,
    encoded,
    expose,
    from_dict,
    user_text,
)
from ctxcontracts.spans.running import summarizing
from tests.support.buffers import shrink

SECRET = "the migration failed at noon. " * 20


@pytest.fixture
def buffer(tmp_path: Path) -> Iterator[ContextBuffer]:
    with ContextBuffer.open(tmp_path / "agent.db", "s") as opened:
        yield opened


@pytest.fixture
def observed(buffer: ContextBuffer) -> ObservedSpan:
    return buffer.observe(user_text(SECRET))


@pytest.fixture
def derived(buffer: ContextBuffer) -> DerivedSpan:
    return buffer.rewrite(buffer.observe(user_text(SECRET + "And again.")), shrink)


WRITERS = {
    "json": lambda value: json.loads(json.dumps({"x": value}, default=encoded))["x"],
    "msgspec json": lambda value: msgspec.json.decode(msgspec.json.encode({"x": value}, enc_hook=encoded))["x"],
    "msgspec msgpack": lambda value: msgspec.msgpack.decode(msgspec.msgpack.encode([value], enc_hook=encoded))[0],
    "msgspec builtins": lambda value: msgspec.to_builtins([value], enc_hook=encoded)[0],
}


@pytest.mark.parametrize("written", WRITERS.values(), ids=WRITERS)
def test_observed_text_is_written_as_a_plain_str(written: Any, observed: ObservedSpan) -> None:
    """What comes back is a `str`, which has to pass a door again."""
    assert type(written(observed.text)) is str
    assert written(observed.text) == SECRET


@pytest.mark.parametrize("written", WRITERS.values(), ids=WRITERS)
def test_exposed_text_is_written_as_a_plain_str(written: Any, derived: DerivedSpan) -> None:
    """Exposed is exposed."""
    assert type(written(expose(derived.text))) is str


@pytest.mark.parametrize("written", WRITERS.values(), ids=WRITERS)
def test_derived_text_is_not_written_without_a_word(written: Any, derived: DerivedSpan) -> None:
    """The error says how to write it on purpose."""
    with pytest.raises(ProvenanceError, match="expose"):
        written(derived.text)


WITHOUT_A_HOOK = {
    "json": lambda value: json.dumps({"x": [value]}),
    "json in a file": lambda value: json.dump({"x": [value]}, io.StringIO()),
    "msgspec json": msgspec.json.encode,
    "msgspec msgpack": msgspec.msgpack.encode,
    "msgspec builtins": msgspec.to_builtins,
    "pydantic": pydantic.TypeAdapter(object).dump_json,
}


@pytest.mark.parametrize("written", WITHOUT_A_HOOK.values(), ids=WITHOUT_A_HOOK)
def test_a_writer_that_was_told_nothing_refuses_as_it_always_does(written: Any, derived: DerivedSpan) -> None:
    """Its own error for a value that it does not know: the class is named, and no text is shown."""
    with pytest.raises((TypeError, pydantic_core.PydanticSerializationError), match="DerivedText") as refused:
        written(derived.text)
    assert "migration" not in str(refused.value)


def test_json_writes_texts_that_are_str_as_they_are(observed: ObservedSpan, derived: DerivedSpan) -> None:
    """Observed and exposed text need no hook."""
    assert json.loads(json.dumps([observed.text, expose(derived.text)]))[0] == SECRET


@pytest.mark.parametrize("written", WRITERS.values(), ids=WRITERS)
def test_a_span_is_written_by_reference_and_read_from_its_store(
    written: Any, buffer: ContextBuffer, observed: ObservedSpan, derived: DerivedSpan
) -> None:
    """No text leaves, and what comes back is the span with its text."""
    for span in (observed, derived):
        reference = written(span)
        assert "migration" not in str(reference)
        again = from_dict(reference, buffer.store)
        assert again == span
        assert type(again) is type(span)


def test_a_reference_is_good_after_a_prune_and_in_another_process(tmp_path: Path) -> None:
    """Originals and summaries stay in the store; a reopened store knows them."""
    with ContextBuffer.open(tmp_path / "a.db", "s") as buffer:
        span = buffer.observe(user_text(SECRET))
        reference = json.loads(json.dumps(span.to_dict()))
        buffer.prune(span)
    with ContextBuffer.open(tmp_path / "a.db", "s") as reopened:
        assert from_dict(reference, reopened.store).text == SECRET


def test_a_reference_into_another_store_is_refused(observed: ObservedSpan) -> None:
    """There the same id may be another text, or none."""
    other = ContextBuffer(session="s")
    with pytest.raises(OriginalMissingError):
        from_dict(dict(observed.to_dict()), other.store)
    other.observe(user_text("another text"))
    with pytest.raises(ProvenanceError, match="another text under s:o1"):
        from_dict(dict(observed.to_dict()), other.store)


@pytest.mark.parametrize(
    "reference", [{}, {"kind": "derived"}, {"kind": "text", "id": "s:o1"}, {"kind": [], "id": 3}]
)
def test_what_is_no_reference_is_refused(reference: dict[str, object]) -> None:
    """With our error, whatever came in."""
    with pytest.raises(ProvenanceError, match="to_dict"):
        from_dict(reference, ContextBuffer().store)


def test_pickle_gives_plain_text_keeps_what_is_derived_and_refuses_spans(
    observed: ObservedSpan, derived: DerivedSpan
) -> None:
    """Observed text comes back as a `str`; derived text stays derived; a span needs its store."""
    assert type(pickle.loads(pickle.dumps(observed.text))) is str
    assert type(pickle.loads(pickle.dumps(derived.text))) is DerivedText
    assert type(pickle.loads(pickle.dumps(expose(derived.text)))) is DerivedStr
    for span in (observed, derived):
        with pytest.raises(ProvenanceError, match=r"span\.id"):
            pickle.dumps({"state": [span]})


def test_copies_are_the_value_itself(observed: ObservedSpan, derived: DerivedSpan) -> None:
    """Nothing can change in them, so that deepcopied state shares them."""
    for value in (observed, derived, observed.text, derived.text, expose(derived.text)):
        assert copy.copy(value) is value
        assert copy.deepcopy({"state": [value]})["state"][0] is value


class State(pydantic.BaseModel):
    turn: ObservedSpan
    text: ObservedText
    summary: DerivedSpan | None = None
    shown: DerivedStr | None = None
    hidden: DerivedText | None = None


def test_pydantic_takes_instances_and_writes_references(observed: ObservedSpan, derived: DerivedSpan) -> None:
    """A model keeps the values as they are, and its JSON holds no text of a summary."""
    state = State(turn=observed, text=observed.text, summary=derived, shown=expose(derived.text))
    assert state.turn is observed
    assert state.model_dump()["summary"] is derived
    written = json.loads(state.model_dump_json())
    assert written["turn"] == observed.to_dict()
    assert written["text"] == SECRET
    assert type(state.model_copy(deep=True).text) is ObservedText
    assert "migration" not in repr(state)


def test_pydantic_makes_no_sealed_value_of_a_plain_one(observed: ObservedSpan) -> None:
    """A `str` in JSON is no observed text, and the error says so."""
    with pytest.raises(ProvenanceError, match="user_text"):
        State.model_validate({"turn": observed, "text": "a plain text"})
    with pytest.raises(ProvenanceError, match=r"buffer\.observe"):
        State.model_validate_json('{"turn": {"kind": "observed", "id": "s:o1"}, "text": "x"}')


def test_pydantic_does_not_write_derived_text_without_a_word(observed: ObservedSpan, derived: DerivedSpan) -> None:
    """As with every other writer."""
    state = State(turn=observed, text=observed.text, hidden=derived.text)
    with pytest.raises(Exception, match="expose"):
        state.model_dump_json()


def test_exposed_text_is_not_written_while_a_summarizer_runs(derived: DerivedSpan) -> None:
    """Writing it would be a way into the summarizer."""
    text = expose(derived.text)
    with summarizing("shrink"), pytest.raises(RewritePolicyError):
        encoded(text)


def test_what_is_not_ours_is_left_to_the_caller() -> None:
    """As the protocol of `default=` and `enc_hook=` has it."""
    with pytest.raises(TypeError, match="set"):
        json.dumps({"x": {1, 2}}, default=encoded)
