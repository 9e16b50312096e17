"""The audit of a buffer."""

from __future__ import annotations

from typing import Any

import pytest

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.buffer.verification import verified
from ctxcontracts.spans import assistant_text
from ctxcontracts.spans.span import seal_derived_span
from ctxcontracts.testing.stores import D1, O1, summary
from tests.support.buffers import WORDS, filled, shrink


def test_a_sound_buffer_verifies() -> None:
    """Every original is read back and hashed again."""
    buffer, spans = filled(4)
    buffer.rewrite(spans[1:3], shrink)
    result = buffer.verify()
    assert result
    assert (result.spans, result.originals, result.damage) == (3, 4, ())
    assert str(result).startswith("ok: 3 live spans, 4 originals read back")


def test_what_rests_on_summaries_is_listed() -> None:
    """P15: turns written after reading a summary, and summaries that have no other support."""
    buffer, spans = filled(3)
    buffer.rewrite(spans[0], shrink)
    turns = [buffer.observe(assistant_text(f"{n} {WORDS}")) for n in range(4)]
    alone = buffer.rewrite(turns[:2], shrink)
    buffer.rewrite([spans[1], turns[2]], shrink)
    result = buffer.verify()
    assert result.informed == (turns[3].id,)
    assert result.unsupported == (alone.id,)
    assert result.ok


def damage(buffer: ContextBuffer, span_id: str, **changes: object) -> None:
    records: Any = buffer.store._records  # type: ignore[attr-defined]
    records[span_id] = records[span_id]._replace(**changes)


@pytest.mark.parametrize(
    ("index", "changes"),
    [
        (1, {"text": "changed"}),
        (1, {"origin": "assistant"}),
        (3, {"text": "changed"}),
        (0, {"text": "changed"}),
        (3, {"summarizer": "x", "digest": "0" * 64}),
    ],
    ids=["a live text", "a live origin", "a summary", "a source", "a digest"],
)
def test_each_damage_is_found(index: int, changes: dict[str, object]) -> None:
    """P12: one thing is changed behind the buffer's back."""
    buffer, spans = filled(3)
    made = buffer.rewrite(spans[0], shrink)
    damage(buffer, [spans[0].id, spans[1].id, spans[2].id, made.id][index], **changes)
    result = buffer.verify()
    assert not result
    assert {found.where for found in result.damage} == {[made.id, spans[1].id, "", made.id][index]}
    assert str(result).startswith("1 damaged: 3 live spans")
    assert str(result).count("\n") == 1


def test_all_damage_is_found() -> None:
    """Not the first only."""
    buffer, spans = filled(3)
    for span in spans:
        damage(buffer, span.id, text="changed")
    assert len(buffer.verify().damage) == 3


def test_a_summary_that_is_not_the_stored_one_is_found() -> None:
    """By its digest in memory, and against the store."""
    buffer, spans = filled(1)
    made = buffer.rewrite(spans[0], shrink)
    record = summary(made.id, *made.sources)
    forged = seal_derived_span(record._replace(digest="0" * 64))
    assert [found.what for found in verified([forged], buffer.store).damage] == [
        "its text does not have its digest",
        "the cold store keeps another summary under this id",
    ]
    unknown = seal_derived_span(summary(D1, O1))
    assert len(verified([unknown], buffer.store).damage) == 2
