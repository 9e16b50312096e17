"""Buffers with something in them, and summarizers that need no model."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.spans import DerivedSpan, ObservedSpan, async_summarizer, summarizer, user_text

WORDS = "and so they went on with the migration of the service until late in the night; " * 3


@summarizer
def shrink(spans: Sequence[ObservedSpan], words: int = 4) -> str:
    return f"{len(spans)} of them: " + " ".join(spans[0].text.split()[:words])


@async_summarizer
async def ashrink(spans: Sequence[ObservedSpan], words: int = 4) -> str:
    await asyncio.sleep(0)
    return f"{len(spans)} of them: " + " ".join(spans[0].text.split()[:words])


def filled(number: int = 5, buffer: ContextBuffer | None = None) -> tuple[ContextBuffer, list[ObservedSpan]]:
    """A buffer with so many user turns, each large enough to be rewritten alone."""
    buffer = ContextBuffer() if buffer is None else buffer
    return buffer, [buffer.observe(user_text(f"turn {n}: {WORDS}")) for n in range(1, number + 1)]


def ids(buffer: ContextBuffer) -> list[str]:
    """The live ids without the name of the session: `o1 d1 o5`."""
    return [span.id.rpartition(":")[2] for span in buffer.spans]


def state(buffer: ContextBuffer) -> tuple[object, ...]:
    """All that a resumed buffer must have again."""
    window = buffer._session._window
    return (
        list(window.slots.items()),
        window.slot_of,
        window.tokens,
        window.gone,
        window.last_observed,
        list(window.derived),
        window.messages,
    )


def summary_of(span: DerivedSpan) -> str:
    """The text of a summary, for comparisons."""
    return str.__str__(span.text.expose())
