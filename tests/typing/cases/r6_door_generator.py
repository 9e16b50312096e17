# exposed text from a generator, and a door
# differs from r6_helper_formats: the function yields, and a loop runs over it
from __future__ import annotations
from collections.abc import Iterator

from ctxcontracts import expose, user_text
from support import buf, der


def notes() -> Iterator[str]:
    yield f"note: {expose(der.text)}"


for note in notes():
    buf.observe(user_text(note))  # E: ctx-launder
