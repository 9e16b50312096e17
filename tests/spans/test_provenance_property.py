"""Whatever is done to a derived text by its own methods, no door takes it (P1)."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ctxcontracts import ProvenanceError, expose, user_text
from ctxcontracts.spans.mark import OPEN, mark, marked_ids
from tests.support.spans import derived

EDITS: list[Callable[[str], str]] = [
    lambda t: t.strip(),
    lambda t: t.upper(),
    lambda t: t + " more",
    lambda t: "before " + t,
    lambda t: t[1:],
    lambda t: t * 2,
    lambda t: t.replace("a", "b"),
    lambda t: t.partition(" ")[0],
    lambda t: (t.split() or [t])[0],
    lambda t: t.rjust(12),
]


@given(st.text(), st.lists(st.sampled_from(EDITS), max_size=6))
def test_no_edit_of_exposed_text_goes_through_a_door(text: str, edits: list[Callable[[str], str]]) -> None:
    """However many edits are chained."""
    edited: str = expose(derived(text=text).text)
    for edit in edits:
        edited = edit(edited)
    with pytest.raises(ProvenanceError):
        user_text(edited)


@given(st.text(), st.text(), st.text(alphabet="abcdef0123456789:-", min_size=1, max_size=40))
def test_a_mark_is_noticed_wherever_it_stands(before: str, after: str, derived_id: str) -> None:
    """With its id, whatever stands around it."""
    text = f"{before}{mark(derived_id)}{after}"
    assert derived_id in marked_ids(text)
    with pytest.raises(ProvenanceError):
        user_text(text)


@given(st.text().filter(lambda text: OPEN not in text))
def test_a_door_changes_no_text(text: str) -> None:
    """What was written is what is kept, whatever the characters."""
    assert user_text(text) == text
