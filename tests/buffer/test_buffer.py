"""Observing, pruning and looking: the single-threaded promises of a buffer."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.buffer.window import is_well_formed
from ctxcontracts.coldstore import MemoryStore, SQLiteStore
from ctxcontracts.errors import (
    ClosedStoreError,
    ColdStoreError,
    CtxContractsError,
    ProvenanceError,
    StaleSession,
    UnknownSpanError,
)
from ctxcontracts.spans import ObservedText, Role, assistant_text, external_text, system_text, tool_text, user_text
from tests.support.buffers import filled, ids, shrink, state


def test_an_observed_text_is_the_last_span_and_an_original() -> None:
    """Text, origin, role and size arrive, and the original is in the store at once."""
    buffer = ContextBuffer(session="s")
    buffer.observe(user_text("hello"))
    span = buffer.observe(tool_text("forty-two bytes", name="read"), pinned=True)
    assert (span.id, span.origin, span.role, span.pinned, span.tokens) == ("s:o2", "tool:read", Role.TOOL, True, 4)
    assert buffer.spans[-1] is span
    assert buffer.original(span.id) == span
    assert (len(buffer), list(buffer), buffer.tokens) == (2, list(buffer.spans), 6)


def test_texts_of_a_batch_arrive_in_order_or_not_at_all() -> None:
    """One transaction: a text without a door stops them all."""
    buffer = ContextBuffer(session="s")
    spans = buffer.observe_all([user_text("a"), assistant_text("b")], pinned=True)
    assert [span.id for span in spans] == ["s:o1", "s:o2"]
    assert all(span.pinned for span in spans)
    bad: Any = "no door"
    with pytest.raises(ProvenanceError):
        buffer.observe_all([user_text("c"), bad])
    assert ids(buffer) == ["o1", "o2"]
    assert buffer.observe_all([]) == ()


@pytest.mark.parametrize(
    "given",
    ["plain", None, 3, str.__new__(ObservedText, "forged")],
    ids=["str", "None", "int", "forged"],
)
def test_only_text_that_came_through_a_door_is_observed(given: Any) -> None:
    """P1 at the entrance."""
    with pytest.raises(ProvenanceError, match=r"buffer\.observe\(text\)"):
        ContextBuffer().observe(given)


@pytest.mark.parametrize("count", [-1, 1.5, None, True], ids=["negative", "float", "None", "bool"])
def test_a_token_counter_must_count(count: Any) -> None:
    """A size that is no number would undo the promise of progress."""
    buffer = ContextBuffer(count_tokens=lambda _: count)
    with pytest.raises(CtxContractsError, match="the token counter"):
        buffer.observe(user_text("x"))
    assert len(buffer) == 0


def test_an_error_of_the_token_counter_passes_through() -> None:
    """It is the user's code and the user's error; nothing has changed."""
    buffer = ContextBuffer(count_tokens=lambda text: math.floor(1 / (len(text) - 1)))
    with pytest.raises(ZeroDivisionError):
        buffer.observe(user_text("x"))
    assert len(buffer) == 0


# --- prune ---------------------------------------------------------------------------------------------------------


def test_pruning_keeps_the_order_of_what_stays_and_the_originals() -> None:
    """P5, and the originals of pruned spans stay in the cold store."""
    buffer, spans = filled(5)
    assert buffer.prune([spans[3], spans[1]]) == (spans[3].id, spans[1].id)
    assert ids(buffer) == ["o1", "o3", "o5"]
    assert buffer.tokens == sum(span.tokens for span in buffer.spans)
    assert buffer.original(spans[1].id) == spans[1]


def test_pruning_twice_is_pruning_once() -> None:
    """Idempotent by id: nothing leaves, and no entry is written."""
    buffer, spans = filled(3)
    buffer.prune(spans[0])
    before, entries = state(buffer), len(list(buffer.store.journal(buffer.session)))
    assert buffer.prune(spans[0]) == buffer.prune([spans[0], spans[0]]) == buffer.prune([]) == ()
    assert (state(buffer), len(list(buffer.store.journal(buffer.session)))) == (before, entries)


def test_any_iterable_and_either_kind_may_be_pruned() -> None:
    """Generators, pinned spans, summaries, one span twice."""
    buffer, spans = filled(4)
    pinned = buffer.observe(system_text("be kind"), pinned=True)
    derived = buffer.rewrite(spans[:2], shrink)
    assert set(buffer.prune(span for span in [derived, pinned, derived])) == {derived.id, pinned.id}
    assert ids(buffer) == ["o3", "o4"]


def test_a_span_of_another_buffer_is_unknown() -> None:
    """Nothing leaves then, not even the spans of this buffer in the same call."""
    buffer, spans = filled(2)
    _, strangers = filled(1)
    with pytest.raises(UnknownSpanError, match=r"spans\[1\]"):
        buffer.prune([spans[0], strangers[0]])
    assert ids(buffer) == ["o1", "o2"]


def test_a_span_with_the_same_id_from_another_store_is_unknown() -> None:
    """The digest tells two sessions of one name apart."""
    one, other = ContextBuffer(session="s"), ContextBuffer(session="s")
    one.observe(user_text("one"))
    stranger = other.observe(user_text("other"))
    with pytest.raises(UnknownSpanError):
        one.prune(stranger)
    with pytest.raises(UnknownSpanError):
        one.rewrite(stranger, shrink)


@pytest.mark.parametrize(
    "given", ["o1", 0, None, ["o1"], [None]], ids=["str", "index", "None", "list", "list of None"]
)
def test_only_spans_are_pruned(given: Any) -> None:
    """By span, never by index: an index says nothing once others have left."""
    buffer, _ = filled(1)
    with pytest.raises(ProvenanceError, match=r"buffer\.prune\(spans\)"):
        buffer.prune(given)


# --- what it shows -------------------------------------------------------------------------------------------------


def test_a_buffer_is_true_and_shows_no_text() -> None:
    """`if buffer` asks whether there is one."""
    buffer, _ = filled(2, ContextBuffer(session="s"))
    assert repr(buffer) == f"<ContextBuffer s, 2 spans, {buffer.tokens} tokens>"
    assert bool(ContextBuffer()) is True


def test_turns_of_the_agent_remember_the_summaries_they_read() -> None:
    """P15: those that were live when the turn was written, and nobody else's text."""
    buffer, spans = filled(4)
    first = buffer.rewrite(spans[0], shrink)
    second = buffer.rewrite(spans[1], shrink)
    before = buffer.observe(assistant_text("I read both."))
    buffer.prune(first)
    after = buffer.observe(assistant_text("I read the second."))
    assert before.informed_by == (first.id, second.id)
    assert after.informed_by == (second.id,)
    assert buffer.observe(user_text("I am a user.")).informed_by == ()
    assert buffer.original(after.id).informed_by == (second.id,)


# --- sessions ------------------------------------------------------------------------------------------------------


def test_a_session_resumes_exactly(tmp_path: Path) -> None:
    """Ids, order, slots, sizes; and no id is ever given twice."""
    path = tmp_path / "store.db"
    with ContextBuffer.open(path, "s") as buffer:
        _, spans = filled(6, buffer)
        buffer.observe(external_text("a page", url="https://example.org"), pinned=True)
        one = buffer.rewrite(spans[1:3], shrink)
        two = buffer.rewrite(spans[4], shrink, 3)
        buffer.prune(spans[0])
        buffer.rederive([two, one], shrink, 2)
        buffer.observe(assistant_text("I read a summary."))
        before = state(buffer)
    with ContextBuffer.open(path, "s") as buffer:
        assert state(buffer) == before
        assert is_well_formed(buffer._session._window)
        assert buffer.verify()
        assert buffer.observe(user_text("next")).id == "s:o9"
        assert buffer.rewrite(buffer._session.store.fetch(spans[3].id), shrink).id == "s:d4"


def test_a_buffer_may_share_a_store(tmp_path: Path) -> None:
    """Sessions in one store do not see each other."""
    with SQLiteStore(tmp_path / "store.db") as store:
        one, two = ContextBuffer(store, session="one"), ContextBuffer(store, session="two")
        one.observe(user_text("for one"))
        assert len(two) == 0
        one.close()
        two.observe(user_text("for two"))
        assert store.sessions() == ("one", "two")


def test_a_second_buffer_on_a_session_is_told_that_it_is_behind() -> None:
    """P11 over buffers: the second writer has to open the session again."""
    store = MemoryStore()
    one = ContextBuffer(store, session="s")
    two = ContextBuffer(store, session="s")
    one.observe(user_text("first"))
    with pytest.raises(StaleSession, match="open the session again"):
        two.observe(user_text("second"))
    assert len(two) == 0
    assert ids(ContextBuffer(store, session="s")) == ["o1"]


@pytest.mark.parametrize("name", ["", "a b", "a]b", "a[b", "line\n", "x" * 101, 7], ids=repr)
def test_a_session_name_must_fit_into_ids_and_marks(name: Any, tmp_path: Path) -> None:
    """A mark that cannot be read back would hide a summary from the doors."""
    with pytest.raises(CtxContractsError, match="the session name"):
        ContextBuffer.open(tmp_path / "store.db", name)


def test_a_session_without_a_name_gets_one_of_its_own() -> None:
    """Two unnamed sessions never meet."""
    assert ContextBuffer().session != ContextBuffer().session


def test_the_journal_says_how_tokens_were_counted() -> None:
    """A resumed session with another counter keeps old sizes, and notes the change once."""
    store = MemoryStore()
    ContextBuffer(store, session="s").observe(user_text("eight by"))
    buffer = ContextBuffer(store, session="s", count_tokens=len)
    buffer.observe(user_text("eight by"))
    buffer.observe(user_text("eight by"))
    assert [span.tokens for span in buffer.spans] == [2, 8, 8]
    kinds = [type(entry).__name__ for entry in store.journal("s")]
    assert kinds == ["Started", "Observed", "Started", "Observed", "Observed"]


def test_closing_closes_only_what_open_opened(tmp_path: Path) -> None:
    """A store that was passed in belongs to its owner."""
    with ContextBuffer.open(tmp_path / "store.db", "s") as buffer:
        buffer.observe(user_text("x"))
    with pytest.raises(ClosedStoreError):
        buffer.observe(user_text("y"))
    assert ids(buffer) == ["o1"]


def test_a_store_that_fails_changes_nothing(tmp_path: Path) -> None:
    """P4: what is not durable is not visible."""
    buffer, spans = filled(2)
    before = state(buffer)
    buffer.store.close()
    for use in (
        lambda: buffer.observe(user_text("x")),
        lambda: buffer.prune(spans[0]),
        lambda: buffer.rewrite(spans, shrink),
    ):
        with pytest.raises(ColdStoreError):
            use()
    assert state(buffer) == before
    assert not buffer._session._window.claims
