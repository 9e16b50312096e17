"""The strategies give what their names say."""

from __future__ import annotations

from hypothesis import given

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.spans import ObservedText
from ctxcontracts.spans.record import DerivedRecord, ObservedRecord, digest_of
from ctxcontracts.testing.strategies import derived_records, observed_records, observed_texts, session_names


@given(observed_texts(), session_names())
def test_texts_and_sessions_can_be_used(text: ObservedText, session: str) -> None:
    """A buffer takes any of them."""
    buffer = ContextBuffer(session=session)
    assert buffer.observe(text).text == text


@given(observed_records(session="x"), derived_records(session="x"))
def test_records_are_whole(observed: ObservedRecord, derived: DerivedRecord) -> None:
    """Their digests are right, and their ids are of the session."""
    assert observed.digest == digest_of(observed.text)
    assert derived.digest == digest_of(derived.text)
    assert observed.id.startswith("x:o")
    assert all(source.startswith("x:o") for source in derived.sources)
