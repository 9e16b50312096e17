"""P14: no error and no repr prints the text of a span."""

from __future__ import annotations

import traceback
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from ctxcontracts.buffer import ContextBuffer
from ctxcontracts.coldstore import MemoryStore
from ctxcontracts.errors import CtxContractsError
from ctxcontracts.spans import ObservedSpan, assistant_text, summarizer, system_text, user_text
from ctxcontracts.spans.holding import leaves
from ctxcontracts.spans.mark import mark
from tests.support.buffers import WORDS

CANARY = "canary-7f3a"


def refusals(prefix: str) -> Iterator[tuple[str, Callable[[], object]]]:
    """Every refusal of a buffer and a store, with the canary in every text that they see."""
    text = f"{prefix}{CANARY} {WORDS}"
    store = MemoryStore()
    buffer = ContextBuffer(store, session="s")

    def says(said: str) -> Any:
        @summarizer
        def saying(given: Sequence[ObservedSpan], option: object = None) -> str:
            return said

        return saying

    short, loose = says(CANARY), lambda spans: CANARY
    one, two, three = (buffer.observe(user_text(f"{n} {text}")) for n in range(3))
    pinned = buffer.observe(system_text(text), pinned=True)
    made = buffer.rewrite(one, short)
    gone = buffer.observe(assistant_text(text))
    buffer.prune(gone)
    stranger = ContextBuffer(session="t").observe(user_text(text))
    any_buffer: Any = buffer
    yield from {
        "no door": lambda: any_buffer.observe(text),
        "derived": lambda: any_buffer.rewrite(made, short),
        "rewritten": lambda: buffer.rewrite(one, short),
        "pinned": lambda: buffer.rewrite([pinned], short),
        "gone": lambda: buffer.rewrite(gone, short),
        "foreign": lambda: buffer.rewrite(stranger, short),
        "foreign prune": lambda: buffer.prune(stranger),
        "twice": lambda: buffer.rewrite([two, two], short),
        "a text": lambda: any_buffer.rewrite(text, short),
        "a text to prune": lambda: any_buffer.prune(text),
        "unsealed": lambda: any_buffer.rewrite(two, loose),
        "option": lambda: any_buffer.rewrite(two, short, option=made.text),
        "empty": lambda: buffer.rewrite(two, says(" ")),
        "error": lambda: buffer.rewrite(two, says(f"Error: {CANARY}")),
        "refusal": lambda: buffer.rewrite(two, says(f"I'm sorry, but I can't summarize {CANARY}")),
        "not smaller": lambda: buffer.rewrite(two, says(text * 2)),
        "marked": lambda: buffer.rewrite(two, says(f"{mark('s:d1')} {CANARY}")),
        "not derived": lambda: any_buffer.rederive(three, short),
        "rendered": lambda: ContextBuffer.from_messages(buffer.render()),
        "message": lambda: ContextBuffer.from_messages([{"role": text, "content": text}]),
        "parts": lambda: ContextBuffer.from_messages([{"role": "user", "content": [{"type": text, "text": text}]}]),
        "session": lambda: ContextBuffer(session=text),
        "stale": lambda: ContextBuffer(store, session="s") and store.append("s", [], expected=99),
        "missing": lambda: any_buffer.original("s:o99"),
    }.items()


@given(st.text("ab\n'\"{}%\\", max_size=8))
@settings(max_examples=20, deadline=None)
def test_no_refusal_prints_a_text(prefix: str) -> None:
    """Neither the message nor the fields, chained errors included."""
    for name, refuse in refusals(prefix):
        try:
            refuse()
        except CtxContractsError as error:
            shown = "".join(traceback.format_exception_only(error)) + repr(error) + repr(vars(error))
            assert CANARY not in shown, name
        else:
            raise AssertionError(name)


def test_no_repr_prints_a_text() -> None:
    """Whatever a traceback or a debugger may show of a buffer."""
    buffer = ContextBuffer(session="s")
    first = buffer.observe(user_text(f"{CANARY} {WORDS}"))

    @summarizer
    def short(given: Sequence[ObservedSpan]) -> str:
        return CANARY

    made = buffer.rewrite(first, short)
    window = buffer._session._window
    shown: list[object] = [
        buffer,
        first,
        made,
        made.text,
        buffer.spans,
        buffer.render(),
        buffer.store,
        buffer.verify(),
    ]
    shown += [list(buffer.store.journal("s")), window.slots, short]
    shown += [buffer._meter.arrival(user_text(CANARY), "call", pinned=False), *leaves({"text": CANARY})]
    assert not [thing for thing in shown if CANARY in repr(thing)]
